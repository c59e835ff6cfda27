// Elements of the page, and lists of them.

export const byId = id => document.getElementById(id);

// Only where something changes: a screen reader and a selection stay where they are.
export const setText = (element, text) => {
  if (element.textContent !== text) element.textContent = text;
};

// Read by screen readers, without leaving the place where they are.
export const tell = sentence => setText(byId('told'), sentence);


// One row for each item, in the order of the items. A row stays as long as its item does, so that it keeps the focus.
export class Rows {
  constructor(list, {key, make, whenFocusIsLost}) {
    Object.assign(this, {list, key, make, whenFocusIsLost, rows: new Map()});
  }

  show(items, ...more) {
    const left = new Map(this.rows);
    items.forEach((item, place) => {
      const key = this.key(item);
      left.delete(key);
      if (!this.rows.has(key)) this.rows.set(key, this.make(item));
      const row = this.rows.get(key);
      const there = this.list.children[place] ?? null;
      if (there !== row.element) this.list.insertBefore(row.element, there);
      row.show(item, ...more);
    });
    for (const [key, row] of left) {
      const hadFocus = row.element.contains(document.activeElement);
      row.element.remove();
      this.rows.delete(key);
      if (hadFocus) this.whenFocusIsLost?.();
    }
  }
}

export const fromTemplate = id => byId(id).content.firstElementChild.cloneNode(true);
