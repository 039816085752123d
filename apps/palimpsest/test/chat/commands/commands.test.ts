import type { Message } from '@palimpsest/core'
import { expect, it } from 'vitest'
import { GRACE_MS } from '../../../src/chat/terminal/choice-dialog.ts'
import { UsageError } from '../../../src/usage-error.ts'
import { COMPACTED, createFakeAgent } from '../terminal/fake-agent.ts'
import { openChat } from '../terminal/open-chat.ts'
import { KEYS } from '../terminal/virtual-terminal.ts'

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

it.each(['/uncompress', '/undo compaction'])(
  '%s says what came back, or that nothing did',
  async (command) => {
    const { terminal, agent } = await openChat()
    terminal.say(command)
    await terminal.shows('3 messages are in the context again, numbers 3 to 12 of the conversation')
    expect(agent().calls).toEqual(['uncompress'])
    const other = await openChat({ methods: { uncompress: async () => undefined } })
    other.terminal.say(command)
    await other.terminal.shows('there is no compaction to undo')
  },
)

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

it('/reset asks first', async () => {
  const { terminal, agent, wait } = await openChat()
  terminal.say('/reset')
  await terminal.shows('Forget the conversation of session session-1?')
  wait(GRACE_MS)
  terminal.press(KEYS.enter)
  await terminal.shows('kept')
  expect(agent().calls).toEqual([])
  terminal.say('/reset')
  await expect.poll(async () => (await terminal.lines()).join('\n')).toContain('→ No')
  wait(GRACE_MS)
  terminal.press(KEYS.down, KEYS.enter)
  await terminal.shows('forgotten: the conversation is empty')
  expect(agent().calls).toEqual(['reset'])
})

it('/engine changes the engine by name or from a list, and keeps it when that fails', async () => {
  const { terminal, agent, wait } = await openChat({
    engines: [
      { value: 'compressor', label: 'compressor', hint: 'four phases' },
      { value: 'decisions', label: 'decisions' },
      { value: 'lcm', label: 'lcm', hint: 'loses nothing' },
    ],
    methods: {
      useEngine: async (name) => {
        throw new UsageError(`there is no engine "${name}"`)
      },
    },
  })
  terminal.say('/engine')
  await terminal.shows('The engine is decisions.')
  const all = await terminal.shows('→ decisions')
  expect(all).toContain('lcm         loses nothing')
  terminal.press(KEYS.escape)
  terminal.say('/engine lcn')
  await terminal.shows('there is no engine "lcn".')
  terminal.say('/engine decisions')
  await terminal.shows('the engine is decisions already')

  const other = await openChat({ engines: [{ value: 'lcm', label: 'lcm' }] })
  other.terminal.say('/engine')
  await other.terminal.shows('→ lcm')
  other.wait(GRACE_MS)
  other.terminal.press(KEYS.enter)
  const changed = await other.terminal.shows('the engine is lcm now')
  // Nobody needs to be told again where the session stopped.
  expect(changed.match(/palimpsest chat:/g)).toHaveLength(1)
  expect(other.agent().calls).toEqual(['engine lcm'])
  expect(agent().calls).toEqual([])
  wait(0)
})

it('/status and /costs show their numbers with words', async () => {
  const { terminal } = await openChat()
  terminal.say('/status')
  const status = await terminal.shows('kept in')
  expect(status).toMatch(/^compacts from {7}96,000 tokens$/m)
  expect(status).toMatch(/^last prompt tokens {2}8,765$/m)
  expect(status).toContain('/nowhere/state/session-1.jsonl')
  terminal.say('/costs')
  const costs = await terminal.shows('9,000 tokens (75 % of the prompts)')
  expect(costs).toMatch(/^cost {6}\$0\.0123$/m)
  expect(costs).not.toContain('not counted')
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
  terminal.say('/context --full')
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
  terminal.say('/undo everything')
  await terminal.shows('/undo takes "compaction" or nothing')
})

it('/retry without a question says so', async () => {
  const { terminal } = await openChat()
  terminal.say('/retry')
  await terminal.shows('there is no question to ask again')
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
  expect(help).toMatch(/^\/compress \[focus\] {3}compacts the context now/m)
  expect(help).toMatch(/^Shift\+Enter {9}a new line/m)
  terminal.say('/stauts')
  await terminal.shows('There is no command /stauts: did you mean /status?')
  terminal.say('/etc/hosts is empty')
  await terminal.shows('re: /etc/hosts is empty')
  expect(agent().calls).toEqual(['say /etc/hosts is empty'])
  terminal.say('/quit')
  await ended
})

it('/quit does not wait for the turn that runs', async () => {
  const { terminal, ended } = await openChat({ answer: () => new Promise(() => {}) })
  terminal.say('never')
  terminal.say('/quit')
  await ended
  expect(terminal.isOn).toBe(false)
})
