import { beforeEach, describe, expect, it } from 'vitest'
import { BUNDLED_SESSION } from '../../src/bundled-session.ts'
import { lines, TALK, useStoreFolder } from './store-folder.ts'

const { write, prints, json, run } = useStoreFolder()

describe('the commands that read a store', () => {
  beforeEach(async () => {
    await write('talk.jsonl', lines(TALK))
    await prints('import', 'talk.jsonl')
  })

  it('grep finds words in texts, results and arguments, and says what was searched', async () => {
    const text = await prints('grep', 'harbour', '--order', 'oldest')
    expect(text).toMatch(
      /^m1 {2}user {2}\d{4}-\d\d-\d\dT[\d:.]+Z {2}shown\n {4}Where is the harbour of Lisbon\?\n/,
    )
    expect(text).toMatch(/^ {4}m2 assistant: .*Lisbon harbour/m)
    expect(text).toMatch(/2 hits in 1 session; everything was searched\n$/)
    expect(await prints('grep', 'submarine')).toBe('0 hits in 0 sessions; everything was searched\n')
    const hitsOf = async (...args: string[]) => (await json('grep', ...args)).sessions[0].hits
    expect(await hitsOf('港', '--context', '0')).toMatchObject([
      { ref: 'm3', text: expect.stringMatching(/^m3 tool: [^\n]*\n[^\n]*港口$/) },
    ])
    expect(await hitsOf('p.er [0-9]', '--mode', 'regex', '--role', 'assistant')).toMatchObject([
      { ref: 'm4' },
    ])
    expect(await hitsOf('tagus', '--order', 'oldest', '--limit', '1', '--context', '1')).toMatchObject([
      { ref: 'm3', text: expect.stringMatching(/^m2 [\s\S]*Pier 7[\s\S]*\nm4 /) },
    ])
  })

  it('grep --all searches every session, and says when some are left', async () => {
    await write('other.jsonl', lines([{ role: 'user', content: 'No harbour here.' }]))
    await prints('import', 'other.jsonl')
    const { complete, sessions } = await json('grep', 'harbour', '--all')
    expect(complete).toBe(true)
    expect(sessions.map(({ session }: { session: string }) => session)).toEqual(['other', 'talk'])
    expect(await json('grep', 'harbour', '--all', '--limit', '1')).toMatchObject({ complete: false })
    expect(await prints('grep', 'harbour', '--all', '--limit', '1')).toMatch(/there may be more/)
  })

  it('expand gives a whole message, and exactly what was stored', async () => {
    expect(await prints('expand', 'm1')).toBe('Where is the harbour of Lisbon?\n')
    const range = await json('expand', 'm1-m3,m5')
    expect(range.messages.map(({ ref }: { ref: string }) => ref)).toEqual(['m1', 'm2', 'm3', 'm5'])
    expect(await prints('expand', 'm1-m2')).toMatch(/^m1 {2}user[\s\S]*Lisbon\?\n\n?m2 {2}assistant/m)
    expect(await prints('expand', 'm3', '--form', 'json')).toBe(`${JSON.stringify(TALK[3])}\n`)
  })

  it('nothing of a stored text reaches a terminal as a command', async () => {
    for (const command of [['grep', 'pier'], ['context']])
      expect(await prints(...(command as [string]))).not.toContain('\u001b')
  })

  it('sessions tells the facts', async () => {
    expect(await prints('sessions')).toMatch(/^talk +7 +0 /m)
  })

  it('context shows what the model is shown, and what it was shown', async () => {
    expect((await json('context')).messages.map(({ message }: { message: unknown }) => message)).toEqual(TALK)
    const before = await json('context', '--at', 'm4')
    expect(before.messages.map(({ ref }: { ref: string }) => ref)).toEqual(['m0', 'm1', 'm2', 'm3', 'm4'])
    expect(await json('context', '--at', 'version 0')).toMatchObject({
      version: 0,
      messages: [{ ref: 'm0' }],
    })
  })
})

describe('a session that was compacted', () => {
  it('is shown with summaries that open down to messages', async () => {
    await run('replay', BUNDLED_SESSION, '--engine', 'lcm', '--window', '16000', '--store', 'store.db')
    const [{ messages: count }] = await json('sessions')
    const { summaries, messages } = await json('context')
    expect(messages.length).toBeLessThan(count / 2)
    const { sources, total } = await json('expand', summaries[0])
    expect(sources).toHaveLength(total)
    expect(await prints('expand', summaries[0])).toContain(`${sources[0].ref} `)
    expect(await prints('grep', 'batches of 200', '--mode', 'substring')).toMatch(/ {2}in s\d+/)
    expect((await json('grep', 'user', '--scope', 'summaries')).sessions[0].hits.length).toBeGreaterThan(0)
  })
})
