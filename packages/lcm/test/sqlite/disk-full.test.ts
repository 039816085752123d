import { describe, expect, it } from 'vitest'
import { useLimitedPages } from '../../../sqlite-kit/test/limit-pages.ts'
import { codeOf, say, useFolders } from './store-folder.ts'

const { open, path: newPath } = useFolders()

const allowPages = useLimitedPages()

describe('a disk without space', () => {
  it('refuses the write, loses nothing, and goes on when there is space again', async () => {
    const path = newPath()
    const store = open(path)
    const session = await store.session({ key: 'a' }, 1)
    await say(session, 'before')
    // Not fewer than there are: what is free in them is all that is left.
    allowPages(1)
    const long = Array.from({ length: 200 }, (_, index) => `message ${index} ${'x'.repeat(20_000)}`)
    let failed = 0
    for (const text of long) {
      const code = await codeOf(say(session, text))
      if (code === 'no error') continue
      expect(code).toBe('STORE_UNAVAILABLE')
      failed++
    }
    expect(failed).toBeGreaterThan(0)
    expect(await store.check()).toEqual([])
    allowPages(1_000_000)
    await say(session, 'after')
    const messages = await session.messages({ order: 'newest', limit: 1 })
    expect(messages[0]?.json).toContain('after')
    expect((await session.head()).nextSeq).toBe(2 + long.length - failed)
    console.log(`writes refused for want of space: ${failed} of ${long.length}`)
  })
})
