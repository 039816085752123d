import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Message } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import { encodeMessage } from '../../src/messages/encode-message.ts'
import { say, summarize, useFolders } from './store-folder.ts'

const { open, path: newPath } = useFolders()

/** Where in the files of a store some bytes stand. */
function filesWith(path: string, wanted: string): string[] {
  const folder = dirname(path)
  const written = Buffer.from(wanted)
  return readdirSync(folder).filter((name) => readFileSync(join(folder, name)).includes(written))
}

describe('forget', () => {
  it('leaves no byte of what was deleted in any file, while the store is open', async () => {
    const path = newPath()
    const store = open(path)
    const session = await store.session({ key: 'a' }, 1)
    const secret = 'zebrafalcon7391'
    const filler = (index: number) =>
      `filler ${index} ${'lorem ipsum dolor sit amet '.repeat(40 + (index % 50))}`
    // Enough around it that the indexes were merged several times, with it in them.
    for (let turn = 0; turn < 60; turn++)
      await say(
        session,
        ...Array.from({ length: 5 }, (_, index) => filler(turn * 5 + index)),
        turn === 20 ? `the ${secret} is ${'long '.repeat(9000)}` : 'short',
      )
    await say(session, `漢字${secret}`)
    const call = {
      id: 'c',
      type: 'function',
      function: { name: 'run', arguments: JSON.stringify({ text: `a\n${secret}` }) },
    }
    const { nextSeq } = await session.head()
    const message = {
      role: 'assistant',
      content: null,
      tool_calls: [call],
      providerData: { reasoning: secret },
    } as unknown
    await session.append({ nextSeq, messages: [encodeMessage(message as Message, 1)], at: 1 })
    await summarize(session, 0, nextSeq, `it was about ${secret}`)
    for (let turn = 0; turn < 40; turn++) await say(session, filler(turn))
    expect(filesWith(path, secret)).not.toEqual([])

    const forgotten = [
      await session.forget({ first: 125, last: 125, reason: 'asked', at: 9 }),
      await session.forget({ first: nextSeq - 1, last: nextSeq, reason: 'asked', at: 9 }),
    ]
    expect(forgotten.map(({ messages }) => messages)).toEqual([1, 2])
    expect(forgotten[0]?.summaries).toEqual([1])

    for (const part of [secret, 'zebrafalcon', 'falcon7391', '"zeb"', 'ebr'])
      expect({ part, files: filesWith(path, part) }).toEqual({ part, files: [] })
    expect(await store.check()).toEqual([])
    const [tombstone] = await session.messages({ first: 125, limit: 1 })
    expect(tombstone).toMatchObject({ json: '', forgotten: { at: 9, reason: 'asked' } })
    const where = [[{ kind: 'substring', text: secret }]] as const
    expect(await session.candidates({ where, order: 'newest', limit: 9 })).toEqual([])
    expect(await session.summaryCandidates({ where, order: 'newest', limit: 9 })).toEqual([])
  })
})
