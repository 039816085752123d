export interface CallChange {
  readonly path: string | null
  /** Null `before`: the file is written as a whole. */
  readonly pieces: readonly { readonly before: string | null; readonly after: string }[]
}

export type CallFields = Readonly<Record<string, unknown>>

const PAIRS = [
  ['old_string', 'new_string'],
  ['oldString', 'newString'],
  ['oldText', 'newText'],
  ['old_str', 'new_str'],
  ['old_text', 'new_text'],
  ['old', 'new'],
] as const

const PATHS = ['file_path', 'filePath', 'path', 'file', 'filename']
const CONTENTS = ['content', 'file_text', 'contents']

export function changeOf(name: string, fields: CallFields): CallChange | null {
  const path = PATHS.map((key) => fields[key]).find((value) => typeof value === 'string') ?? null
  const edits = Array.isArray(fields.edits) ? fields.edits.filter(isFields) : [fields]
  const pieces = edits.flatMap(pieceOf)
  if (pieces.length > 0 && pieces.length === edits.length) return { path, pieces }
  const content = CONTENTS.map((key) => fields[key]).find((value) => typeof value === 'string')
  if (path !== null && content !== undefined && /write|create|save/i.test(name))
    return { path, pieces: [{ before: null, after: content }] }
  return null
}

function pieceOf(fields: CallFields): CallChange['pieces'] {
  for (const [old, fresh] of PAIRS) {
    const [before, after] = [fields[old], fields[fresh]]
    if (typeof before === 'string' && typeof after === 'string') return [{ before, after }]
  }
  return []
}

export function isPatch(text: string): boolean {
  return text.startsWith('*** Begin Patch') || text.startsWith('diff --git ') || text.startsWith('--- ')
}

const isFields = (value: unknown): value is CallFields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The texts of a call's arguments as they are shown, without the escapes of JSON. */
export function argumentTexts(text: string): readonly string[] {
  const fields = fieldsOf(text)
  if (fields === null) return [text]
  return Object.entries(fields).flatMap(([name, value]) =>
    Array.isArray(value) && value.every(isFields)
      ? [name, ...value.flatMap((item) => Object.values(item).map(fieldText))]
      : [name, fieldText(value)],
  )
}

export const fieldText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value, null, 1)

const LONGEST = 400_000

export function fieldsOf(text: string): CallFields | null {
  if (text.length > LONGEST) return null
  try {
    const value: unknown = JSON.parse(text)
    return isFields(value) ? value : null
  } catch {
    return null
  }
}
