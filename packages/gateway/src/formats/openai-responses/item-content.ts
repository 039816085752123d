import { type ContentPart, contentParts, isObject, type Loose, looseOf, type Message } from '@palimpsest/core'

/** The content of an item as parts of core. */
export function toParts(content: unknown): ContentPart[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return Array.isArray(content) ? content.map(toPart) : []
}

/** Parts as a message of core holds them: one text is a string. */
export function toContent(parts: readonly ContentPart[]): string | ContentPart[] {
  const [first] = parts
  return parts.length === 1 && first?.type === 'text' && first.text !== '' ? first.text : [...parts]
}

/** The content of a message as parts of the kinds that core knows: none else come from items. */
export function partsOf(message: Message): readonly ContentPart[] {
  return contentParts(message) as readonly ContentPart[]
}

/** The content of an item without what its message holds, so that it is not kept twice. */
export function emptyContent(content: unknown): unknown {
  if (typeof content === 'string') return ''
  return Array.isArray(content) ? content.map(emptyPart) : content
}

/** The number of parts that an emptied content takes. */
export function slotCount(shell: unknown): number {
  if (typeof shell === 'string') return 1
  return Array.isArray(shell) ? shell.length : 0
}

/** An emptied content with parts in their places; as plain parts when they are not those that it was made for. */
export function fillContent(shell: unknown, parts: readonly ContentPart[], isAnswer = false): unknown {
  const [first] = parts
  if (typeof shell === 'string') {
    if (parts.length === 0) return ''
    if (parts.length === 1 && first?.type === 'text') return first.text
  }
  const isSame = Array.isArray(shell) && shell.length === parts.length
  return parts.map((part, index) =>
    isSame ? fillPart(shell[index], part, isAnswer) : plainPart(part, isAnswer),
  )
}

/** A part that was made of no item's, as an item has it. */
export function plainPart(part: ContentPart, isAnswer: boolean): object {
  if (part.type === 'text') return { type: isAnswer ? 'output_text' : 'input_text', text: part.text }
  if (part.type === 'image_url') {
    const { url, detail } = part.image_url
    return { type: 'input_image', ...(detail !== undefined && { detail }), image_url: url }
  }
  if (part.type === 'file') return { type: 'input_file', ...part.file }
  return part
}

/** A part of an item as core has it. */
export function toPart(part: unknown): ContentPart {
  const { type, text, refusal, image_url: url, file_data: data, filename } = looseOf(part)
  if (typeof text === 'string') return { type: 'text', text }
  if (typeof refusal === 'string') return { type: 'refusal', refusal }
  if (typeof url === 'string') return { type: 'image_url', image_url: { url } }
  if (typeof data === 'string')
    return { type: 'file', file: { file_data: data, ...(typeof filename === 'string' && { filename }) } }
  // Parts of a kind that core does not know survive as they are.
  return typeof type === 'string' ? (part as ContentPart) : { type: 'text', text: JSON.stringify(part) }
}

/** Members whose values are held by the message. */
const HELD = ['text', 'refusal', 'image_url', 'file_data']

/** A part without what its message holds; null for what the message holds as it is. */
export function emptyPart(part: unknown): unknown {
  const held = HELD.find((name) => typeof looseOf(part)[name] === 'string')
  return held === undefined ? null : { ...looseOf(part), [held]: '' }
}

function fillPart(shell: unknown, part: ContentPart, isAnswer: boolean): object {
  if (isObject(shell))
    for (const [name, value] of Object.entries(heldBy(part)))
      if (typeof shell[name] === 'string') return { ...shell, [name]: value }
  return plainPart(part, isAnswer)
}

function heldBy(part: ContentPart): Loose {
  if (part.type === 'text') return { text: part.text }
  if (part.type === 'refusal') return { refusal: part.refusal }
  if (part.type === 'image_url') return { image_url: part.image_url.url }
  return part.type === 'file' ? { file_data: part.file.file_data } : {}
}
