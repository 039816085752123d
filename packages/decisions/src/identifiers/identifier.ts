/** The kind of thing that an identifier names. */
export type IdentifierKind =
  | 'path'
  | 'url'
  | 'hash'
  | 'number'
  | 'version'
  | 'error'
  | 'symbol'
  | 'quoted'
  | 'branch'
  | 'setting'
  | 'reference'

/** Something that a later turn can only refer to by its exact wording. */
export interface Identifier {
  /** The wording, as it stood in the text. */
  readonly text: string
  readonly kind: IdentifierKind
}
