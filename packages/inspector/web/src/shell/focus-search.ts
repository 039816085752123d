/** Frames in which a page has its search field at the latest. */
const PATIENCE = 30

/** Moves the focus into the search field of the page that is shown, or is about to be. */
export function focusSearch(frames = PATIENCE): void {
  requestAnimationFrame(() => {
    const field = document.querySelector<HTMLInputElement>('main input[type="search"]')
    if (field) field.focus()
    else if (frames > 0) focusSearch(frames - 1)
  })
}
