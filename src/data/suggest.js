// Shows suggestions of the service as links below the search field. Arrow keys move between the field and the links,
// and Escape closes the list. All content is set as text, never as HTML.
for (const form of document.querySelectorAll("form.search[data-suggest]")) {
  const input = form.querySelector("input");
  const list = document.createElement("ul");
  const status = document.createElement("span");
  list.className = "suggestions";
  list.hidden = true;
  list.setAttribute("aria-label", "Suggestions");
  status.className = "hidden";
  status.setAttribute("role", "status");
  form.append(list, status);
  let timer, latest = 0;
  const close = () => { list.hidden = true; status.textContent = ""; };
  const show = (items) => {
    list.replaceChildren(...items.map(({ href, name, note }) => {
      const item = document.createElement("li");
      const link = document.createElement("a");
      const small = document.createElement("span");
      link.href = href;
      link.textContent = name;
      small.textContent = note;
      link.append(" ", small);
      item.append(link);
      return item;
    }));
    list.hidden = items.length === 0;
    status.textContent = items.length === 0 ? "" : items.length + (items.length === 1 ? " suggestion" : " suggestions");
  };
  const ask = async () => {
    const turn = ++latest, text = input.value.trim();
    if (text.length < 2) return close();
    try {
      const answer = await fetch(form.dataset.suggest + "?q=" + encodeURIComponent(text));
      const items = answer.ok ? (await answer.json()).items : [];
      if (turn === latest && document.activeElement === input) show(items);
    } catch { close(); }
  };
  input.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(ask, 120); });
  form.addEventListener("keydown", (event) => {
    const stops = [input, ...list.querySelectorAll("a")];
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape" && !list.hidden) { close(); input.focus(); event.preventDefault(); }
    if (!step || list.hidden) return;
    const next = stops[stops.indexOf(document.activeElement) + step];
    if (next) { next.focus(); event.preventDefault(); }
  });
  form.addEventListener("focusout", (event) => { if (!form.contains(event.relatedTarget)) close(); });
}
