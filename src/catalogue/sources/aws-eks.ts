/** Amazon EKS: the release calendar of the user guide. Extended support costs per cluster hour. */
import { englishDate } from "./feed/dates.ts";
import { cycleName } from "./feed/table.ts";
import { htmlSource } from "./table-source.ts";

export const awsEks = htmlSource({
  id: "aws-eks",
  title: "Amazon EKS Kubernetes release calendar",
  product: "amazon-eks",
  verification: "unverified-format",
  url: "https://docs.aws.amazon.com/eks/latest/userguide/kubernetes-versions.html",
  columns: ["Kubernetes version", "Amazon EKS release", "End of standard support", "End of extended support"],
  row(row, facts) {
    const cycle = cycleName(row, /^(\d+\.\d+)$/, "Kubernetes version");
    const paidEnd = row.date(englishDate, "End of extended support");
    facts.date("releaseDate", cycle, row.date(englishDate, "Amazon EKS release"));
    facts.end("eol", cycle, row.date(englishDate, "End of standard support"));
    facts.end("eoes", cycle, paidEnd);
    facts.track(cycle, { name: "Extended support", vendor: "Amazon", cost: "paid" }, paidEnd);
  },
});
