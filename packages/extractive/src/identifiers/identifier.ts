/** What an identifier names. */
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

/** An identifier as a digest keeps it. */
export interface Mention extends Identifier {
  /** 0 to 1: how likely the wording is a name that is referred to, where it stood. */
  readonly precision: number
}

/** All kinds, in the order in which they are listed. */
export const IDENTIFIER_KINDS: readonly IdentifierKind[] = [
  'path',
  'symbol',
  'setting',
  'error',
  'url',
  'branch',
  'reference',
  'hash',
  'version',
  'number',
  'quoted',
]
