import { isObject, type Loose, looseOf } from '@palimpsest/core'
import { textOf } from './provider-data.ts'

/** A partial tool call in the shape of Chat Completions. */
export interface StreamedCall {
  readonly index: unknown
  /** The merged pieces, without `index`. */
  call: Loose
}

/** The id, name and input of a call; missing ones are ''. */
export interface CallFields {
  readonly id: string
  readonly name: string
  /** JSON text of a function's arguments, or a custom tool's text. */
  readonly input: string
}

/**
 * Adds a complete or partial entry of `tool_calls` to an answer's calls, and returns its call. Pieces belong together
 * by index. Some servers omit it, or send complete calls with index 0, so a new id, or a name after complete arguments,
 * starts a new call.
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

/** Reads the fields of an untrusted call, or of a piece of one. */
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
    if (value === null || value === undefined || (key === 'id' && value === '')) continue
    whole[key] = isObject(value) ? mergedBody(looseOf(call[key]), value) : value
  }
  return whole
}

function mergedBody(before: Loose, piece: Loose): Loose {
  const whole: Record<string, unknown> = { ...before, ...piece }
  for (const key of ['name', 'arguments', 'input']) {
    if (before[key] === undefined && piece[key] === undefined) continue
    const isRepeated = key === 'name' && before.name === piece.name
    whole[key] = isRepeated ? before.name : jsonOf(before[key]) + jsonOf(piece[key])
  }
  return whole
}

function jsonOf(value: unknown): string {
  if (typeof value === 'string') return value
  return value === undefined || value === null ? '' : JSON.stringify(value)
}
