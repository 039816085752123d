import { createPause, isDeepFrozen, type Loose } from '@palimpsest/core'
import { byteAt, bytesBetween, type ReceivedBody } from './body-memory.ts'
import { isBlank, itemsOf, SIGN } from './parse-body.ts'

/** A part of a body: JSON, or bytes of the client's own. */
export type BodyPiece = string | Uint8Array<ArrayBuffer>

/**
 * A body for the upstream, in which the items of the client's list that stay as they were are its own bytes: nothing of
 * what a large body costs is paid twice.
 *
 * @param sent what is to be written.
 * @param body the client's.
 */
export async function bodyPieces(sent: Loose, body: ReceivedBody): Promise<BodyPiece[]> {
  const read = itemsOf(body)
  const list = sent[body.list]
  if (read === undefined || !Array.isArray(list)) return [JSON.stringify(sent)]
  const { items, ends, start } = read
  const pause = createPause()
  const pieces: BodyPiece[] = []
  let text = `${before(sent, body.list)}[`
  const beginOf = (index: number) => {
    let at = index === 0 ? start : (ends.at(index - 1) ?? start)
    while (isBetween(byteAt(body, at))) at++
    return at
  }
  let at = 0
  for (let index = 0; index < list.length; ) {
    if (index > 0) text += ','
    const first = isDeepFrozen(list[index] ?? {}) ? items.indexOf(list[index], at) : -1
    if (first === -1) {
      text += JSON.stringify(list[index++])
      await pause()
      continue
    }
    at = first
    while (index < list.length && at < items.length && list[index] === items[at])
      [index, at] = [index + 1, at + 1]
    pieces.push(text, ...bytesBetween(body, beginOf(first), ends.at(at - 1)))
    text = ''
  }
  return [...pieces, `${text}]${behind(sent, body.list)}`]
}

/** Whether a byte stands between two items of a list. */
const isBetween = (byte: number | undefined) => byte === SIGN.comma || isBlank(byte)

/** The beginning of an object as JSON, up to the value of one of its members. */
function before(sent: Loose, name: string): string {
  const names = Object.keys(sent)
  const own = Object.fromEntries(Object.entries(sent).slice(0, names.indexOf(name)))
  const text = JSON.stringify(own).slice(0, -1)
  return `${text}${text === '{' ? '' : ','}${JSON.stringify(name)}:`
}

/** The rest of it. */
function behind(sent: Loose, name: string): string {
  const names = Object.keys(sent)
  const own = Object.fromEntries(Object.entries(sent).slice(names.indexOf(name) + 1))
  const text = JSON.stringify(own)
  return text === '{}' ? '}' : `,${text.slice(1)}`
}
