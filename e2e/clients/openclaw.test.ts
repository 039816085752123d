import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { sequenceFault } from '../../apps/palimpsest/test/gateway/sequence-fault.ts'
import type { StoredSession } from '../../packages/core/src/index.ts'
import { createSqliteStore } from '../../packages/store/src/index.ts'
import { installExample } from '../../scripts/example-chat.ts'
import { agentFolderIn, historyIn, type OpenClaw, RECORD, sessionKeyOf, startOpenClaw } from './openclaw.ts'
import { runProgram } from './run-program.ts'
import type { Script } from './scripted-model.ts'

/** OpenClaw's own prompt and tools take about 5,000 tokens of it. */
const WINDOW = 40_000
const TURNS = 40

/** About 1,000 tokens of output each. */
const command = (step: number) => ({ command: `echo STEP-${step}; seq ${step}000 ${step}300` })

/** A turn of two results and an answer. */
async function turn(claw: OpenClaw, conversation: string, number: number, more: Script = []): Promise<void> {
  const said = `Answer ${number} of ${conversation}.`
  claw.model.play([command(number + 100), ...more, command(number + 200), { text: said }])
  expect(await claw.ask(conversation, `Question ${number} of ${conversation}.`)).toBe(said)
}

/** Requests of the conversations, not of summaries. */
const mainRequests = ({ upstream }: OpenClaw) =>
  upstream.requests.filter(({ body }) => body.tools !== undefined)

/** Every request was one that the provider takes, within the window. */
function expectWell(claw: OpenClaw, scenario: string): void {
  const requests = mainRequests(claw)
  const sizes = requests.map(({ promptTokens }) => promptTokens)
  const smaller = sizes.filter((size, index) => size < (sizes[index - 1] ?? 0) * 0.9).length
  const { compaction } = claw.model.asked
  console.log(
    `openclaw, ${scenario}: ${sizes.length} requests and ${compaction} for summaries, the largest ${Math.max(...sizes)} tokens of ${WINDOW}, ${smaller} times smaller than the one before`,
  )
  expect(requests.flatMap(({ body }) => sequenceFault(body) ?? [])).toEqual([])
  expect(Math.max(...sizes)).toBeLessThanOrEqual(WINDOW)
}

const stateFolder = ({ home }: OpenClaw) => home.environment.OPENCLAW_STATE_DIR ?? ''

/** The plug-in's store of a conversation. */
async function storedSessions(claw: OpenClaw): Promise<StoredSession[]> {
  const store = createSqliteStore({
    path: join(agentFolderIn(stateFolder(claw)), 'palimpsest/sessions.db'),
    readOnly: true,
  })
  onTestFinished(() => store.close())
  expect(await store.verify()).toEqual([])
  const found = await store.list({ limit: 100 })
  return Promise.all(found.map(async ({ key }) => (await store.find({ key })) as StoredSession))
}

/** Each message is stored once and nothing is lost; only answers that were stored before their turn are replaced. */
async function expectStoredOnce(session: StoredSession, conversation: string, turns: number): Promise<void> {
  const all = await session.messages({ includeReplaced: true })
  const replaced = all.filter((one) => one.replaced)
  expect(replaced.length).toBeLessThanOrEqual(1)
  expect(replaced.every(({ role }) => role === 'assistant')).toBe(true)
  const messages = await session.messages()
  const asked = messages.filter(({ role }) => role === 'user').map(({ message }) => message?.content)
  expect(asked).toEqual(
    Array.from({ length: turns }, (_, index) => `Question ${index + 1} of ${conversation}.`),
  )
}

test(`openclaw: ${TURNS} turns with tools; the history stays whole, and a restart goes on`, async () => {
  const claw = await startOpenClaw({ window: WINDOW })
  const times: number[] = []
  for (let number = 1; number <= TURNS; number++) {
    const began = performance.now()
    await turn(claw, 'course', number)
    times.push(performance.now() - began)
  }
  const mean = (some: readonly number[]) =>
    Math.round(some.reduce((sum, time) => sum + time, 0) / some.length)
  console.log(
    `openclaw: ${mean(times.slice(2, 12))} ms a turn at first, ${mean(times.slice(-10))} ms at the end`,
  )
  expectWell(claw, `${TURNS} turns`)
  expect(claw.upstream.overflows).toBe(0)
  const texts = JSON.stringify(mainRequests(claw).at(-1)?.body.messages)
  expect(texts).toContain(JSON.stringify(RECORD).slice(1, -1))

  claw.model.play([{ grep: 'STEP-103' }, { text: 'Found.' }])
  expect(await claw.ask('course', `Question ${TURNS + 1} of course.`)).toBe('Found.')
  const found = mainRequests(claw).at(-1)?.body.messages.at(-1)
  expect([found?.role, String(found?.content)]).toEqual(['tool', expect.stringContaining('103000')])

  await claw.restart()
  await turn(claw, 'course', TURNS + 2)
  expectWell(claw, 'restarted')
  const tools = mainRequests(claw).map(({ body }) => body.tools?.map((tool) => tool.function.name).join())
  expect(new Set(tools).size).toBe(1)
  const history = historyIn(stateFolder(claw))
  for (let number = 1; number <= TURNS; number++)
    for (const text of [
      `Question ${number} of course.`,
      `Answer ${number} of course.`,
      `STEP-${number + 100}\\n`,
    ])
      expect(history).toContain(text)
  const [session, ...others] = await storedSessions(claw)
  expect(others).toEqual([])
  // The last turn is stored with the next one.
  if (session !== undefined) await expectStoredOnce(session, 'course', TURNS + 1)
  expect(claw.log()).not.toContain('degraded to')
})

test('openclaw: two conversations at the same time do not mix', async () => {
  const claw = await startOpenClaw({ window: WINDOW })
  for (let number = 1; number <= 12; number++) {
    await turn(claw, 'red', number)
    await turn(claw, 'blue', number)
  }
  expectWell(claw, 'two conversations')
  const mixed = mainRequests(claw).filter(({ body }) => {
    const text = JSON.stringify(body.messages)
    return text.includes('of red.') && text.includes('of blue.')
  })
  expect(mixed).toEqual([])
})

test('openclaw: the provider says that the prompt is too long', async () => {
  const claw = await startOpenClaw({ window: WINDOW })
  for (let number = 1; number <= 6; number++) await turn(claw, 'long', number)
  const before = mainRequests(claw).length
  const error = {
    message: `This model's maximum context length is ${WINDOW} tokens.`,
    code: 'context_length_exceeded',
  }
  claw.upstream.failNext({ type: 'status', status: 400, body: JSON.stringify({ error }) })
  claw.model.play([{ text: 'Answer 7 of long.' }])
  expect(await claw.ask('long', 'Question 7 of long.')).toBe('Answer 7 of long.')
  const [refused, again, ...others] = mainRequests(claw).slice(before)
  expect(others).toEqual([])
  expect(again?.promptTokens).toBeLessThan(refused?.promptTokens ?? 0)
  await turn(claw, 'long', 8)
  expectWell(claw, 'a prompt is refused')
})

test('openclaw: a summariser that fails costs nothing but its text', async () => {
  const claw = await startOpenClaw({ window: WINDOW })
  claw.failSummaries = true
  for (let number = 1; number <= 24; number++) await turn(claw, 'failing', number)
  expectWell(claw, 'the summariser fails')
  const [session] = await storedSessions(claw)
  expect(await session?.frontier()).toMatchObject({
    summaries: expect.arrayContaining([expect.any(Number)]),
  })
  const history = historyIn(stateFolder(claw))
  for (let number = 1; number <= 24; number++) expect(history).toContain(`STEP-${number + 100}\\n`)
})

test('openclaw: a single result that is larger than the window', async () => {
  const claw = await startOpenClaw({ window: WINDOW })
  await turn(claw, 'large', 1, [{ command: 'echo LARGE; seq 100000 140000' }])
  for (let number = 2; number <= 4; number++) await turn(claw, 'large', number)
  expectWell(claw, 'a large result')
})

test('openclaw: an engine that cannot start leaves the prompt as it was', async () => {
  const claw = await startOpenClaw({ window: WINDOW, settings: { options: { threshold: 7 } } })
  for (let number = 1; number <= 3; number++) await turn(claw, 'broken', number)
  const texts = JSON.stringify(mainRequests(claw).at(-1)?.body.messages)
  for (let number = 1; number <= 3; number++) expect(texts).toContain(`Question ${number} of broken.`)
  expect(claw.log()).toContain('threshold')
})

test('openclaw: the user compacts', async () => {
  const claw = await startOpenClaw({ window: WINDOW })
  await turn(claw, 'manual', 1)
  for (let number = 2; number <= 14; number++) await turn(claw, 'manual', number)
  const before = mainRequests(claw).at(-1)?.promptTokens ?? 0
  const key = sessionKeyOf('manual')
  const { code, stdout } = await runProgram('openclaw', ['sessions', 'compact', key, '--json'], claw.home)
  expect([code, stdout]).toEqual([0, expect.stringContaining('"compacted": true')])
  claw.model.play([{ text: 'On.' }])
  expect(await claw.ask('manual', 'Go on.')).toBe('On.')
  expect(mainRequests(claw).at(-1)?.promptTokens).toBeLessThan(before)
})

test('openclaw: the example, which has another engine', async () => {
  const folder = installExample('openclaw')
  const { plugins } = JSON.parse(await readFile(join(folder, 'openclaw.json'), 'utf8'))
  const claw = await startOpenClaw({ window: WINDOW, plugins: { ...plugins, load: { paths: [folder] } } })
  for (let number = 1; number <= 26; number++) await turn(claw, 'lean', number)
  expectWell(claw, 'the example')
  expect(claw.log()).toContain('[lean-context] compacted')
})

test('openclaw: the system prompt says of memory what it says with OpenClaw’s own engine', async () => {
  const about: string[][] = []
  for (const contextEngine of ['palimpsest', 'legacy']) {
    const claw = await startOpenClaw({ window: WINDOW, contextEngine })
    claw.model.play([{ text: 'Yes.' }])
    expect(await claw.ask('memory', 'Do you remember?')).toBe('Yes.')
    const [system] = mainRequests(claw).at(-1)?.body.messages ?? []
    about.push(
      String(system?.content)
        .split('\n')
        .filter((line) => line.includes('memory_search'))
        .toSorted(),
    )
  }
  expect(about[0]?.length).toBeGreaterThan(1)
  expect(about[0]).toEqual(about[1])
})
