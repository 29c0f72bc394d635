// Adds a button to each snippet that copies its text, if the browser supports it.
if (navigator.clipboard) {
  for (const snippet of document.querySelectorAll("pre[aria-label]")) {
    const button = document.createElement("button");
    const label = "Copy: " + snippet.getAttribute("aria-label");
    button.type = "button";
    button.className = "copy plain";
    button.textContent = "Copy";
    button.setAttribute("aria-label", label);
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(snippet.textContent);
        button.textContent = "Copied";
      } catch {
        button.textContent = "Not allowed";
      }
      setTimeout(() => { button.textContent = "Copy"; }, 2000);
    });
    snippet.after(button);
  }
}
