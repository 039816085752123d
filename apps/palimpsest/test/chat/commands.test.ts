import type { Message } from '@palimpsest/core'
import { expect, it } from 'vitest'
import { GRACE_MS } from '../../src/chat/chat-screen.ts'
import { UsageError } from '../../src/usage-error.ts'
import { COMPACTED, createFakeAgent } from './fake-agent.ts'
import { openChat } from './open-chat.ts'
import { KEYS } from './virtual-terminal.ts'

it('/compress compacts with a focus, and says what came of it', async () => {
  const { terminal, agent } = await openChat()
  terminal.say('/compress the port')
  await terminal.shows('compacted 110,365 → 24,654 tokens')
  expect(agent().calls).toEqual(['compress the port'])

  const unchanged = { ...COMPACTED, outcome: 'unchanged', reason: 'nothing-to-compact' } as const
  const other = await openChat({ methods: { compress: async () => unchanged } })
  // The completion of a name is taken with Enter, too.
  other.terminal.press(...'/comp')
  await other.terminal.shows('→ compress')
  other.terminal.press(KEYS.enter)
  await other.terminal.shows('not compacted (nothing to compact), 110,365 tokens')
})

it('/uncompress says what came back, or that nothing did', async () => {
  const { terminal, agent } = await openChat()
  terminal.say('/uncompress')
  await terminal.shows('back in the context: 3 messages, numbers 3 to 12 of the conversation')
  expect(agent().calls).toEqual(['uncompress'])
  const other = await openChat({ methods: { uncompress: async () => undefined } })
  other.terminal.say('/uncompress')
  await other.terminal.shows('there is no compaction to undo')
})

it('/new begins a new session, and says how the old one is resumed', async () => {
  const { terminal, agent, ended } = await openChat()
  terminal.say('hello')
  terminal.say('/new')
  await terminal.shows('session session-2')
  await terminal.shows('The session before goes on with: /resume session-1')
  expect(agent().calls).toEqual(['say hello', 'begin'])
  terminal.press(KEYS.ctrlD)
  expect(await ended).toEqual({ id: 'session-2', isResumable: false })
})

it('/status shows its numbers with words', async () => {
  const { terminal } = await openChat()
  terminal.say('/status')
  const status = await terminal.shows('cost')
  expect(status).toMatch(/^compacts from {2}96,000 of 128,000 tokens$/m)
  expect(status).toContain('/nowhere/state/session-1.jsonl')
  expect(status).toMatch(/^prompts {8}12,000 tokens, 75 % of them cached$/m)
  expect(status).toMatch(/^cost {11}\$0\.0123$/m)
})

const LONG: Message[] = Array.from({ length: 60 }, (_, index) => ({
  role: index % 2 === 0 ? 'user' : 'assistant',
  content: `message ${index}: ${'word '.repeat(80)}end${index}`,
}))

it('/context shows what the model sees, bounded unless all is wanted', async () => {
  const call = { name: 'read', arguments: '{"path":"a.ts"}' }
  const history: Message[] = [
    ...LONG,
    { role: 'assistant', tool_calls: [{ id: '1', type: 'function', function: call }] },
    { role: 'tool', tool_call_id: '1', content: 'the file' },
  ]
  const { terminal } = await openChat({ history })
  terminal.say('/context')
  const short = await terminal.shows('62 tool (7 tokens) the file')
  expect(short).toContain('4,321 tokens in 62 messages and 0 tools')
  expect(short).toContain('… 42 more messages: /context full shows them')
  expect(short).toContain('61 assistant (7 tokens) → read({"path":"a.ts"})')
  expect(short).toContain('6 assistant (7 tokens) message 5: word')
  expect(short).not.toMatch(/message 6:|message 40:|end5\b/)
  terminal.say('/context full')
  const full = await terminal.shows('62 tool (7 tokens) the file')
  await terminal.shows('end40')
  expect(full).not.toContain('takes "full"')
})

it('/undo takes the last turn back into the editor', async () => {
  const { terminal, agent } = await openChat()
  terminal.say('wrong question')
  await terminal.shows('re: wrong question')
  terminal.say('/undo')
  await terminal.shows('taken back; files stay as they are')
  await terminal.shows('────\nwrong question')
  expect(agent().history).toEqual([])
  terminal.press(KEYS.ctrlC)
  terminal.say('/undo')
  await terminal.shows('there is nothing to take back')
})

it('/resume goes on with another session, and stays with this one when that fails', async () => {
  const chats = [
    { id: 'session-1', workspace: '/a', firstWords: 'this one', at: 0, messages: 2 },
    { id: 'older', workspace: '/a', firstWords: 'about\x1b[31m ports', at: 0, messages: 12 },
  ]
  const opened: (string | undefined)[] = []
  const { terminal, agent, wait } = await openChat({
    chats,
    reopen(id) {
      opened.push(id)
      if (id === 'broken') throw new UsageError('the session broken is used by another process')
      return createFakeAgent({ id: id ?? 'session-1', history: [{ role: 'user', content: 'which port?' }] })
    },
  })
  const first = agent()
  terminal.say('/resume')
  const list = await terminal.shows('→ about␛[31m ports')
  expect(list).toContain('12 messages, 1970-01-01 00:00')
  expect(list).not.toContain('this one')
  wait(GRACE_MS)
  terminal.press(KEYS.enter)
  await terminal.shows('Session older goes on: 1 message so far.')
  await terminal.shows('session older')
  terminal.say('/resume broken')
  await terminal.shows('the session broken is used by another process.')
  expect(opened).toEqual(['older', 'broken', 'older'])
  expect(first.calls).toEqual(['close'])
  terminal.say('still here')
  await terminal.shows('re: still here')
  terminal.say('/resume older')
  await terminal.shows('this is the session that is open')
})

it('/page, /help, /quit, and a command that does not exist', async () => {
  const { terminal, agent, ended } = await openChat({ rows: 60 })
  terminal.say('/page')
  await terminal.shows('the page of this session: http://127.0.0.1:4321/#/session-1')
  terminal.say('/help')
  const help = await terminal.shows('Everything else is said to the model.')
  expect(help).toMatch(/^\/compress \[focus\] +compacts the context now/m)
  expect(help).toMatch(/^Shift\+Enter +a new line/m)
  terminal.say('/stauts')
  await terminal.shows('There is no command /stauts: did you mean /status?')
  terminal.say('/etc/hosts is empty')
  await terminal.shows('re: /etc/hosts is empty')
  expect(agent().calls).toEqual(['say /etc/hosts is empty'])
  terminal.say('/quit')
  await ended
})
