import type { LcmStore } from '../../src/store/lcm-store.ts'
import { edit } from '../../src/store-tests/harness/edit.ts'
import { hostileMessages } from '../../src/store-tests/harness/hostile-messages.ts'
import { compactTo, condenseAll } from '../../src/store-tests/harness/summaries.ts'
import { AT, encode, say, talk, texts } from '../../src/store-tests/harness/talk.ts'

/** Puts everything into a store that it can hold: two principals, edits, summaries, forks, forgotten messages. */
export async function fillStore(store: LcmStore): Promise<void> {
  const parent = await talk(store, 'z parent', ...texts(8))
  await compactTo(parent, 2)
  await compactTo(parent, 5)
  await condenseAll(parent)
  await edit(parent, 7, [3], 'instead of 7')
  const child = await parent.fork({ key: 'a child', seq: 4, summaries: [1], at: AT + 2 })
  await say(child, 'child 4')
  await compactTo(child, 4)
  const grandchild = await child.fork({ key: 'm grandchild', seq: 5, summaries: [1], at: AT + 3 })
  await say(grandchild, 'grandchild 5')
  await parent.forget({ first: 1, last: 1, reason: 'asked', at: AT + 9 })
  const other = await store.session({ principal: 'somebody else', key: 'z parent' }, AT)
  const small = Object.values(hostileMessages()).filter((message) => JSON.stringify(message).length < 10_000)
  await other.append({ nextSeq: 0, messages: small.map(encode), at: AT })
}
