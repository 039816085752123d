import { expect, it } from 'vitest'
import type { ExternalMemory, Memory } from '../../src/index.ts'
import { talkWith, textOf } from './harness.ts'

/** A memory that keeps what it is given, and says it to everybody. */
function createNotebook(): ExternalMemory & { readonly kept: Map<string, Memory>; isDown: boolean } {
  const kept = new Map<string, Memory>()
  const notebook = {
    name: 'notebook',
    kept,
    isDown: false,
    async publish(memories: readonly Memory[]) {
      if (notebook.isDown) throw new Error('the notebook is closed')
      for (const memory of memories) kept.set(memory.id, memory)
    },
    async search() {
      if (notebook.isDown) throw new Error('the notebook is closed')
      return [...kept.values()]
    },
  }
  return notebook
}

it('tells a memory what is decided, and shows another session what it knows, as data from outside', async () => {
  const memory = createNotebook()
  const first = talkWith({ memory }, { sessionId: 'first' })
  await first.turn("Let's use Postgres for the database.", 'Fine.')
  await first.session.end()
  expect([...memory.kept.values()].map(({ text }) => text)[0]).toMatch(/^Decided: .*Postgre/)

  const second = talkWith({ memory }, { sessionId: 'second' })
  const text = textOf(await second.ask('Which database do we use?'))
  expect(text).toMatch(/<external_memory>[\s\S]*Postgre[\s\S]*<\/external_memory>/)
  expect(text).not.toContain('<project_decisions>')
  await second.session.end()
})

it('goes on without a memory that fails, and publishes later what it could not', async () => {
  const memory = createNotebook()
  memory.isDown = true
  const talk = talkWith({ memory })
  await talk.turn("Let's use Postgres for the database.", 'Fine.')
  expect(textOf(await talk.ask('Which database?'))).toContain('<project_decisions>')
  expect(talk.session.engine.status().details).toMatchObject({
    memory: { lastFailure: 'the notebook is closed' },
  })
  memory.isDown = false
  await talk.answer('Postgres.')
  await talk.session.end()
  expect(memory.kept.size).toBe(1)
})

it('warns of a memory that fails with the next compaction, once', async () => {
  const memory = createNotebook()
  memory.isDown = true
  const { session, history } = talkWith({ memory })
  const long = Array.from({ length: 40 }, (_, index) => [
    { role: 'user' as const, content: `Look at screen ${index}. ${'The grid is fine. '.repeat(60)}` },
    { role: 'assistant' as const, content: 'Done.' },
  ]).flat()
  const ask = { role: 'user' as const, content: 'Which database?' }
  await session.prepare([...history, ask])
  const { warnings } = await session.prepare([...history, ask, ...long, ask])
  expect(warnings).toMatchObject([
    { code: 'memory-failed', message: expect.stringMatching(/the notebook is closed/) },
  ])
  expect((await session.prepare([...history, ask, ...long, ask, ...long, ask])).warnings).toEqual([])
  await session.end()
})
