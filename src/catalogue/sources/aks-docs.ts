/** Azure Kubernetes Service: the calendar of Microsoft's documentation, mostly in months. The LTS table repeats lines. */
import { englishDate } from "./feed/dates.ts";
import { cycleName } from "./feed/table.ts";
import { markdownSource } from "./table-source.ts";

const VERSION = ["Kubernetes version", "K8s version"];

export const aksDocs = markdownSource({
  id: "aks-docs",
  title: "Azure Kubernetes Service release calendar",
  product: "azure-kubernetes-service",
  url: "https://raw.githubusercontent.com/MicrosoftDocs/azure-aks-docs/main/articles/aks/supported-kubernetes-versions.md",
  columns: [VERSION, "AKS GA", "End of life", ["LTS End of life", "Platform support"]],
  row(row, facts) {
    const cycle = cycleName(row, /^(\d+\.\d+)$/, ...VERSION);
    facts.date("releaseDate", cycle, row.date(englishDate, "AKS GA"));
    facts.end("eol", cycle, row.date(englishDate, "End of life"));
    if (!row.has("LTS End of life")) return;
    const paidEnd = row.date(englishDate, "LTS End of life");
    facts.end("eoes", cycle, paidEnd);
    facts.track(cycle, { name: "Long-term support", vendor: "Microsoft", cost: "paid" }, paidEnd);
  },
});
