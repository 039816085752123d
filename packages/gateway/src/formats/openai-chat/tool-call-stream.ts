import { isObject, type Loose, looseOf } from '@palimpsest/core'

/** Puts the pieces of tool calls together, and lets through those of the client's calls. */
export interface ToolCallStream {
  /** Takes the pieces of one chunk and returns what the client gets of them. */
  take(pieces: readonly unknown[]): Loose[]
  /** The stream is over: what was held back because its name could have gone on. */
  flush(): Loose[]
  /** All calls, the engine's too. */
  readonly calls: readonly Loose[]
}

interface Slot {
  /** As the upstream numbers it. */
  readonly key: unknown
  call: Loose
  /** As the client sees it; undefined while it is not known whose call it is, and for the engine's. */
  shown: number | undefined
}

/** @param own names of the engine's tools. */
export function createToolCallStream(own: ReadonlySet<string>): ToolCallStream {
  const slots: Slot[] = []
  let shown = 0

  /** Some servers give no index, some the same to all calls: then a new id begins a new call. */
  const slotOf = ({ index, id }: Loose): Slot => {
    const known = index === undefined ? slots.at(-1) : slots.findLast(({ key }) => key === index)
    const isAnother = typeof id === 'string' && id !== '' && (known?.call.id ?? id) !== id
    if (known !== undefined && !isAnother) return known
    const slot: Slot = { key: index, call: {}, shown: undefined }
    slots.push(slot)
    return slot
  }

  const show = (slot: Slot): Loose => {
    slot.shown = shown++
    return { ...slot.call, index: slot.shown }
  }

  return {
    take: (pieces) =>
      pieces.filter(isObject).flatMap((piece) => {
        const slot = slotOf(piece)
        slot.call = merge(slot.call, piece)
        if (slot.shown !== undefined) return [{ ...piece, index: slot.shown }]
        return isClients(slot.call, own) ? [show(slot)] : []
      }),
    flush: () =>
      slots.filter((slot) => slot.shown === undefined && !own.has(partsOf(slot.call).name)).map(show),
    get calls() {
      return slots.map(({ call }) => call)
    },
  }
}

/** Whether it is certain by now that a call is not the engine's: a name may come in pieces. */
function isClients(call: Loose, own: ReadonlySet<string>): boolean {
  const { name, input } = partsOf(call)
  if (input !== '' && name !== '') return !own.has(name)
  return ![...own].some((other) => other.startsWith(name))
}

function partsOf(call: Loose): { readonly name: string; readonly input: string } {
  const { name, arguments: text, input } = looseOf(call.function ?? call.custom)
  return { name: textOf(name), input: textOf(text ?? input) }
}

function merge(call: Loose, { index: _, ...piece }: Loose): Loose {
  const merged: Record<string, unknown> = { ...call }
  for (const [name, value] of Object.entries(piece)) {
    if (value === null || value === undefined) continue
    // Some servers say the id with each piece, and some an empty one.
    if (name === 'id' && value === '') continue
    merged[name] = isObject(value) ? mergeTexts(looseOf(call[name]), value) : value
  }
  return merged
}

function mergeTexts(before: Loose, piece: Loose): Loose {
  const merged: Record<string, unknown> = { ...before, ...piece }
  for (const name of ['name', 'arguments', 'input']) {
    if (before[name] === undefined && piece[name] === undefined) continue
    const isRepeated = name === 'name' && before.name === piece.name
    merged[name] = isRepeated ? before.name : `${textOf(before[name])}${textOf(piece[name])}`
  }
  return merged
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
