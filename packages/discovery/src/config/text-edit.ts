/** A piece of a text that is replaced, by offsets in UTF-16 units; `start` equal to `end` inserts. */
export interface TextEdit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** The text with all edits made; they must not overlap. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  return edits
    .toSorted((a, b) => b.start - a.start)
    .reduce((edited, edit) => edited.slice(0, edit.start) + edit.text + edited.slice(edit.end), text)
}
