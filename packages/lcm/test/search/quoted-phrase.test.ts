import { describe, expect, it } from 'vitest'
import { searchMessages } from '../../src/search/search-messages.ts'
import { clock, sessionOf, user } from './session-fixture.ts'

const hits = async (texts: readonly string[], query: string) => {
  const { hits } = await searchMessages(
    await sessionOf(texts.map((text) => user(text))),
    { query },
    { clock },
  )
  return hits.map(({ seq }) => seq)
}

describe('a quoted phrase', () => {
  it.each([
    ['"auto"', 'colour: auto;', 'autocomplete'],
    ['"message_refs"', 'the message_refs table', 'add_message_refs_and_source'],
    ['"/them"', 'open /them now', 'open /themes now'],
    ['"/projects"', 'GET /projects', '/home/me/projects'],
    ['"fits the room"', 'it fits the room.', 'it fits the rooms'],
  ])('%s is found between words, and not in a longer one', async (query, whole, part) => {
    expect(await hits([whole, part], query)).toEqual([0])
  })

  it('is found inside of words when it stands nowhere else', async () => {
    expect(await hits(['autocomplete', 'nothing'], '"auto"')).toEqual([0])
  })

  it('of a script without spaces, or with punctuation at its ends, is found wherever it stands', async () => {
    expect(await hits(['这里有数据库连接', 'x'], '"数据库"')).toEqual([0])
    expect(await hits(['a=5;b', 'x'], '"=5;"')).toEqual([0])
  })

  it('is shown where it stands alone, though a longer word comes first in the same message', async () => {
    const session = await sessionOf([
      user(`autocomplete ${'x '.repeat(400)} colour: auto; ${'y '.repeat(400)}`),
    ])
    const { hits } = await searchMessages(session, { query: '"auto"' }, { clock })
    expect(hits[0]?.snippet).toContain('colour: auto;')
  })
})
