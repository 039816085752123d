import { ModelError } from '@palimpsest/core'
import { expect, it } from 'vitest'
import { COMPACTED } from './fake-agent.ts'
import { openChat } from './open-chat.ts'
import { KEYS } from './virtual-terminal.ts'

it('introduces itself, streams an answer as Markdown, and says how to go on', async () => {
  const { terminal, agent, ended } = await openChat({
    answer: async (_text, { on }) => {
      on({ type: 'text', text: '# The port\n\nIt is **80' })
      on({ type: 'text', text: '80**, set in `src/config.ts`.' })
      return 'whole'
    },
  })
  const start = await terminal.shows('/help shows what you can type.')
  expect(start).toContain('palimpsest chat: openai:test-model, engine decisions, window 128,000 tokens')
  expect(start).toContain('Prompt caching: automatic')
  expect(start).toContain('8,765 tokens · compacts at 96,000 · window 128,000 · $0.0123')
  terminal.say('which port?')
  const answered = await terminal.shows('It is 8080, set in src/config.ts.')
  expect(answered).toContain('> which port?')
  expect(answered).not.toContain('**')
  expect(answered).not.toContain('whole')
  terminal.press(KEYS.ctrlD)
  expect(await ended).toEqual({ id: 'session-1', isResumable: true })
  expect(agent().calls).toEqual(['say which port?', 'close'])
  expect(terminal.isOn).toBe(false)
})

it('says what to know of the model and the engine, and where a resumed session stopped', async () => {
  const { terminal, ended, signal } = await openChat({
    resume: 'session-1',
    notice: 'No model answers: set A_KEY.',
    facts: { warnings: ['The engine "mine" was not found: the compressor runs.'] },
    history: [
      { role: 'user', content: 'an early question' },
      { role: 'assistant', content: 'an early answer' },
      { role: 'user', content: 'which database?' },
      { role: 'assistant', content: 'MySQL, as decided.' },
    ],
  })
  const start = await terminal.shows('MySQL, as decided.')
  expect(start).toContain('> which database?')
  expect(start).toContain('Session session-1 goes on: 4 messages so far.')
  expect(start).toContain('No model answers: set A_KEY.')
  expect(start).toContain('The engine "mine" was not found: the compressor runs.')
  expect(start).not.toContain('early')
  terminal.press(KEYS.up)
  await terminal.shows('────\nwhich database?')
  signal.abort()
  expect(await ended).toEqual({ id: 'session-1', isResumable: true })
})

it('shows calls of tools with a preview of the result, compactions and warnings', async () => {
  const { terminal } = await openChat({
    answer: async (_text, { on }) => {
      on({ type: 'text', text: 'Let me look.' })
      on({ type: 'tool-start', id: '1', name: 'read', summary: 'src/config.ts' })
      on({ type: 'tool-end', id: '1', name: 'read', ok: true, result: 'a\nb\nc\nd\ne\n' })
      on({ type: 'tool-start', id: '2', name: 'run', summary: 'pnpm test' })
      on({ type: 'tool-end', id: '2', name: 'run', ok: false, result: 'exit code 1' })
      on({ type: 'compaction', trigger: 'threshold', result: COMPACTED })
      on({ type: 'warning', warning: { code: 'x', message: 'The summariser failed.' } })
      on({ type: 'text', text: 'Two files.' })
      return 'Let me look.Two files.'
    },
  })
  terminal.say('go')
  const all = await terminal.shows('Two files.')
  expect(all).toContain('* read src/config.ts\n  a\n  b\n  c\n  … 2 more lines\n')
  expect(all).toContain('* run pnpm test\n  failed\n  exit code 1\n')
  expect(all).toContain('compacted 110,365 → 24,654 tokens')
  expect(all.indexOf('The summariser failed.')).toBeLessThan(all.indexOf('Two files.'))
})

it('says a failure of the model in one line, gives back what waited, and goes on', async () => {
  let isUp = false
  const { terminal, agent } = await openChat({
    answer: async (text) => {
      if (isUp) return `re: ${text}`
      await terminal.shows('waits: second')
      throw new ModelError('auth', 'The key was refused (401); check OPENAI_API_KEY')
    },
  })
  terminal.say('first')
  terminal.say('second')
  const failed = await terminal.shows('The key was refused (401); check OPENAI_API_KEY. /retry asks again.')
  expect(failed).not.toMatch(/ModelError|at .*\.ts/)
  await terminal.shows('────\nsecond')
  isUp = true
  terminal.press(KEYS.ctrlC)
  terminal.say('/retry')
  await terminal.shows('re: first')
  expect(agent().calls).toEqual(['say first', 'retry'])
})

it('sends what was written meanwhile one after the other', async () => {
  const answered = Promise.withResolvers<void>()
  const { terminal, agent } = await openChat({
    answer: async (text) => {
      if (text === 'one') await answered.promise
      return `re: ${text}`
    },
  })
  terminal.say('one')
  terminal.say('two')
  terminal.say('/status')
  terminal.press(...'thr')
  await terminal.shows('waits: two waits: /status')
  answered.resolve()
  const all = await terminal.shows('kept in')
  expect(all.indexOf('re: one')).toBeLessThan(all.indexOf('re: two'))
  expect(all).not.toContain('waits:')
  terminal.press(...'ee', KEYS.enter)
  await terminal.shows('re: three')
  expect(agent().calls).toEqual(['say one', 'say two', 'say three'])
})

it('ends within its patience when the process is told to, whatever the agent does', async () => {
  const { terminal, ended, signal, agent } = await openChat({ answer: () => new Promise(() => {}) })
  terminal.say('never')
  await terminal.shows('working')
  signal.abort()
  expect(await ended).toMatchObject({ id: 'session-1' })
  expect(agent().calls).toEqual(['say never', 'close'])
  expect(terminal.isOn).toBe(false)
})

it('gives the terminal back when the session cannot be opened or closed, and says why', async () => {
  const closing = await openChat({
    methods: { close: () => Promise.reject(new Error('the disk is full')) },
  })
  closing.terminal.press(KEYS.ctrlD)
  await expect(closing.ended).rejects.toThrow('the disk is full')
  expect(closing.terminal.isOn).toBe(false)
})

it('takes a paste of 10 MB as one text, and shows little of it', async () => {
  const { terminal, agent } = await openChat({ answer: async (text) => `${text.length} characters` })
  const pasted = `${'0123456789 lorem ipsum\n'.repeat(456_000)}end`
  terminal.paste(pasted)
  await terminal.shows('[paste #1 +456001 lines]')
  terminal.press(KEYS.enter)
  const all = await terminal.shows(`${pasted.length} characters`)
  expect(all).toContain('… of 10,488,003 characters')
  expect(all.length).toBeLessThan(20_000)
  expect(terminal.written.length).toBeLessThan(100_000)
  expect(agent().history[0]?.content).toBe(pasted)
})
