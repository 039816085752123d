import type { ListMatch } from './match-list.ts'
import type { WindowKeeper } from './window-keeper.ts'
import type { NewMessage } from './window-message.ts'

/**
 * Compares what the host says of its transcript with what it said of the same places before: by place and hash.
 * `known` are the numbers of the messages that stood there.
 */
export async function matchTold(
  list: readonly NewMessage[],
  known: readonly (number | null)[],
  { window, open }: Pick<WindowKeeper, 'window' | 'open'>,
): Promise<ListMatch> {
  const hashes = new Map([...window.leading, ...window.tail].map(({ seq, hash }) => [seq, hash] as const))
  const asked = known.slice(0, list.length).filter((seq): seq is number => seq !== null && !hashes.has(seq))
  const [first, last] = [asked[0], asked.at(-1)]
  if (first !== undefined && last !== undefined) {
    const session = await open()
    for (const { seq, hash } of await session.hashes({ first, last, limit: last - first + 1 }))
      hashes.set(seq, hash)
  }
  const differs = list.findIndex(({ encoded }, index) => {
    const seq = known[index]
    return typeof seq !== 'number' || hashes.get(seq) !== encoded.hash
  })
  const length = differs === -1 ? list.length : differs
  const replaceFrom = known.slice(length).find((seq) => seq !== null)
  return { seqs: known.slice(0, length), ...(typeof replaceFrom === 'number' && { replaceFrom }) }
}
