import { isObject, looseOf } from '@palimpsest/core'
import type { Answer, PartialCall } from './answer.ts'
import { textOf } from './text-of.ts'

/**
 * Adds an entry of `tool_calls` to an answer: a whole call, or a piece of one. Pieces belong together by their
 * index. Some servers omit it, or send every call whole with the index 0, so id and name are looked at, too.
 */
export function addCall({ calls }: Answer, entry: unknown): void {
  if (!isObject(entry)) return
  const { index, id, type: _, function: body, ...extra } = entry
  const piece = { id: textOf(id), ...readFunction(body) }
  const call = callOf(calls, index, piece)
  if (call === undefined) calls.push({ ...piece, ...(typeof index === 'number' ? { index } : {}), extra })
  else {
    call.id ||= piece.id
    call.name ||= piece.name
    call.args += piece.args
    call.extra = { ...call.extra, ...extra }
  }
}

type Piece = Pick<PartialCall, 'id' | 'name' | 'args'>

/** The call that a piece continues. Undefined when it begins another. */
function callOf(calls: readonly PartialCall[], index: unknown, piece: Piece): PartialCall | undefined {
  const call =
    typeof index === 'number'
      ? calls.findLast((one) => one.index === index)
      : (calls.find((one) => piece.id !== '' && one.id === piece.id) ??
        (piece.id === '' && piece.name === '' ? calls.at(-1) : undefined))
  if (call === undefined) return undefined
  const another =
    piece.id !== '' && call.id !== '' ? piece.id !== call.id : piece.name !== '' && isComplete(call)
  return another ? undefined : call
}

/** A server that sends a call whole, without an id, sends the next with its name again. */
function isComplete({ args }: PartialCall): boolean {
  return args !== '' && isJson(args)
}

/** True for a text that parses as JSON. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Arguments are JSON text; a server that sends the value itself means the same. */
function readFunction(body: unknown): Omit<Piece, 'id'> {
  const { name, arguments: args } = looseOf(body)
  const text = args === undefined || args === null ? '' : JSON.stringify(args)
  return { name: textOf(name), args: typeof args === 'string' ? args : text }
}
