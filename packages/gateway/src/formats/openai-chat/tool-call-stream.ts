import { isObject, type Loose } from '@palimpsest/core'
import { addCallPiece, callFields, type StreamedCall } from '@palimpsest/provider-utils'

/** Assembles tool calls, and lets the pieces of the client's calls through. */
export interface ToolCallStream {
  /** Takes the pieces of one chunk. Returns those for the client. */
  take(pieces: readonly unknown[]): Loose[]
  /** The stream is over. Returns the calls that were held back because their names could have gone on. */
  flush(): Loose[]
  /** All calls, the engine's too. */
  readonly calls: readonly Loose[]
}

/** @param own names of the engine's tools. */
export function createToolCallStream(own: ReadonlySet<string>): ToolCallStream {
  const streamed: StreamedCall[] = []
  /** The client's index of each call that it sees. */
  const shown = new Map<StreamedCall, number>()

  const show = (one: StreamedCall): Loose => {
    const index = shown.size
    shown.set(one, index)
    return { ...one.call, index }
  }

  return {
    take: (pieces) =>
      pieces.filter(isObject).flatMap((piece) => {
        const one = addCallPiece(streamed, piece)
        const index = shown.get(one)
        if (index !== undefined) return [{ ...piece, index }]
        return isClients(one.call, own) ? [show(one)] : []
      }),
    flush: () => streamed.filter((one) => !shown.has(one) && !own.has(callFields(one.call).name)).map(show),
    get calls() {
      return streamed.map(({ call }) => call)
    },
  }
}

/** True once it is certain that a call is not the engine's: a name may come in pieces. */
function isClients(call: Loose, own: ReadonlySet<string>): boolean {
  const { name, input } = callFields(call)
  if (input !== '' && name !== '') return !own.has(name)
  return ![...own].some((other) => other.startsWith(name))
}
