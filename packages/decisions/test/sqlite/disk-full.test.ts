import { describe, expect, it } from 'vitest'
import { useLimitedPages } from '../../../sqlite-kit/test/limit-pages.ts'
import { asserted, message, PROJECT } from '../../src/store-tests/talk.ts'
import { codeOf, useFolders } from './store-folder.ts'

const { open, path: newPath } = useFolders()

const allowPages = useLimitedPages()

const TURNS = 50

describe('a disk without space', () => {
  it('refuses the batch, writes nothing of it, and goes on when there is space again', async () => {
    const store = open(newPath())
    const session = await store.session({ key: 'a' }, 1)
    const say = async (text: string) => {
      const said = message(await session.count(), text)
      // The event comes behind the text, and finds no space first.
      await session.commit(
        { sources: [said], events: [asserted('a', { ...said, text: text.slice(0, 20) })] },
        1,
      )
    }
    await say('before')
    // Not fewer than there are: what is free in them is all that is left.
    allowPages(1)
    let failed = 0
    for (let turn = 0; turn < TURNS; turn++) {
      const code = await codeOf(say(`message ${turn} ${'x'.repeat(2_000)}`))
      if (code === 'no error') continue
      expect(code).toBe('STORE_UNAVAILABLE')
      failed++
    }
    expect(failed).toBeGreaterThan(0)
    expect(await session.count()).toBe(1 + TURNS - failed)
    expect(await session.events({ scopes: [PROJECT] })).toHaveLength(1 + TURNS - failed)
    allowPages(1_000_000)
    await say('after')
    expect((await session.sources()).at(-1)?.text).toBe('after')
    console.log(`batches refused for want of space: ${failed} of ${TURNS}`)
  })
})
