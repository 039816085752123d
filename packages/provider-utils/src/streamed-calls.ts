import { isObject, type Loose, looseOf } from '@palimpsest/core'
import { textOf } from './provider-data.ts'

/** A tool call in the shape of Chat Completions, as far as it has come. */
export interface StreamedCall {
  /** The number that the server gives it, if any. */
  readonly index: unknown
  /** Its pieces together, without `index`. */
  call: Loose
}

/** The id, name and input of a call; empty texts for what has not come yet. */
export interface CallFields {
  readonly id: string
  readonly name: string
  /** JSON text of a function's arguments, or the text that a custom tool takes. */
  readonly input: string
}

/**
 * Adds an entry of `tool_calls`, whole or in part, to the calls of an answer, and returns its call. Pieces belong
 * together by their index. Some servers omit it, or send every call whole with the index 0, so a new id begins a new
 * call, and so does a name behind complete arguments.
 */
export function addCallPiece(calls: StreamedCall[], { index, ...piece }: Loose): StreamedCall {
  const known = callOf(calls, index, callFields(piece))
  if (known === undefined) {
    const begun = { index, call: merged({}, piece) }
    calls.push(begun)
    return begun
  }
  known.call = merged(known.call, piece)
  return known
}

/** Reads a call, or a piece of one, of which nothing is certain. */
export function callFields(call: Loose): CallFields {
  const { name, arguments: args, input } = looseOf(call.function ?? call.custom)
  return { id: textOf(call.id), name: textOf(name), input: jsonOf(args ?? input) }
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

function callOf(calls: readonly StreamedCall[], index: unknown, piece: CallFields): StreamedCall | undefined {
  const isNumbered = typeof index === 'number'
  const known = isNumbered
    ? calls.findLast((one) => one.index === index)
    : (calls.find(({ call }) => piece.id !== '' && call.id === piece.id) ??
      (piece.id === '' && piece.name === '' ? calls.at(-1) : undefined))
  if (known === undefined) return undefined
  const { id, input } = callFields(known.call)
  const isAnother = piece.id !== '' && id !== '' ? piece.id !== id : piece.name !== '' && isJson(input)
  return isAnother ? undefined : known
}

function merged(call: Loose, piece: Loose): Loose {
  const whole: Record<string, unknown> = { ...call }
  for (const [key, value] of Object.entries(piece)) {
    // Some servers send the id with each piece, and some an empty one.
    if (value === null || value === undefined || (key === 'id' && value === '')) continue
    whole[key] = isObject(value) ? mergedBody(looseOf(call[key]), value) : value
  }
  return whole
}

/** A name that is sent again is the same name; any other piece of a text continues it. */
function mergedBody(before: Loose, piece: Loose): Loose {
  const whole: Record<string, unknown> = { ...before, ...piece }
  for (const key of ['name', 'arguments', 'input']) {
    if (before[key] === undefined && piece[key] === undefined) continue
    const isRepeated = key === 'name' && before.name === piece.name
    whole[key] = isRepeated ? before.name : jsonOf(before[key]) + jsonOf(piece[key])
  }
  return whole
}

/** Arguments are JSON text; a server that sends the value itself means the same. */
function jsonOf(value: unknown): string {
  if (typeof value === 'string') return value
  return value === undefined || value === null ? '' : JSON.stringify(value)
}
