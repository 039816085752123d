import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import compressor from '@palimpsest/compressor'
import {
  type CompletionModel,
  createContextSession,
  type EngineDefinition,
  messageText,
  readSummary,
} from '@palimpsest/core'
import decisions from '@palimpsest/decisions'
import lcm, { createLcmStoreTools } from '@palimpsest/lcm'
import { toPiMessage } from '@palimpsest/transcripts'
import { expect, test } from 'vitest'
import { tellingParts } from '../../../../packages/core/test/redaction/planted-secrets.ts'
import { runHook } from '../../src/hook/run-hook.ts'
import { redactingStore } from '../../src/recall/redacting-store.ts'
import { openSessionIndex } from '../../src/recall/session-index.ts'
import { findSessionFiles } from '../../src/sessions/find-session-files.ts'
import { describeSession } from '../../src/sessions/listed-session.ts'
import { showSessions } from '../../src/sessions/show-sessions.ts'
import { openStore } from '../../src/stores/open-store.ts'
import { startMockUpstream } from '../gateway/mock-upstream.ts'
import { startTestGateway } from '../gateway/test-gateway.ts'
import { scripted, startTestService } from '../serve/test-service.ts'
import { fakeHome, runSessions } from '../sessions/fake-home.ts'
import { PLANTED, plantedConversation, shownSecrets } from './planted-conversation.ts'

/** A model that knows the secrets and repeats them, whatever it is asked: each call says others. */
function talkingModel() {
  const prompts: string[] = []
  let records = 0
  const model: CompletionModel = {
    name: 'talking',
    async complete({ system, prompt }) {
      prompts.push(`${system}\n${prompt}`)
      const isRecord = !/\bJSON\b/.test(system ?? '')
      if (isRecord) records++
      const said = PLANTED.slice(((isRecord ? records : prompts.length) * 7) % PLANTED.length).slice(0, 7)
      const candidates = said.map(({ text }, message) => {
        const choice = { subject: 'datastore', value: text, l0: `The reports use ${text}` }
        return { message, quote: text, kind: 'choice', ...choice }
      })
      const text = isRecord
        ? `## Facts\n\n${said.map(({ text }) => `- ${text}`).join('\n')}\n`
        : JSON.stringify({ candidates })
      return { text, finishReason: 'stop' }
    },
  }
  return { model, prompts }
}

const ENGINES: readonly (readonly [name: string, engine: EngineDefinition, options: object])[] = [
  ['compressor', compressor, {}],
  ['lcm', lcm, {}],
  ['decisions', decisions, {}],
  ['decisions over lcm', decisions, { compaction: { engine: lcm } }],
]

test.each(ENGINES.flatMap((engine) => [true, false].map((hasModel) => ({ engine, hasModel }))))(
  'no summary of $engine.0 shows one, nor what its model is sent (model: $hasModel)',
  async ({ engine, hasModel }) => {
    const [, definition, options] = engine
    const { model, prompts } = talkingModel()
    const session = await createContextSession({
      ...{ engine: definition, options, contextLength: 16_000 },
      ...(hasModel && { model }),
    })
    const summaries: string[] = []
    const messages = plantedConversation()
    for (let end = 4; end <= messages.length; end += 64) {
      const prepared = await session.prepare(messages.slice(0, end))
      // Kept messages stay as they were said: the model in the conversation sees it.
      summaries.push(
        ...prepared.messages.filter((message) => readSummary(message) !== undefined).map(messageText),
      )
    }
    await session.end()
    expect(summaries.length).toBeGreaterThan(1)
    expect(prompts.length > 0).toBe(hasModel)
    expect(shownSecrets(summaries.join('\n'))).toEqual([])
    expect(shownSecrets(prompts.join('\n'))).toEqual([])
  },
)

test('no decision holds one, nor what is said of them', async () => {
  const { model, prompts } = talkingModel()
  const store = await openStore(undefined)
  const session = createContextSession({
    ...{ engine: decisions, store, sessionId: 's', options: { batch_turns: 1 } },
    ...{ contextLength: 64_000, model },
  })
  const messages = plantedConversation()
  let answers = ''
  for (let end = 4; end <= messages.length; end += 32) await session.prepare(messages.slice(0, end))
  for (const query of ['', 'reports', 'datastore', 'password'])
    answers += await session.callTool('decisions_list', { query, limit: 50 })
  await session.end()
  const events = await (await store.find({ key: 's' }))?.events({ scopes: ['session:s'] })
  await store.close()
  expect(prompts.length).toBeGreaterThan(0)
  expect(answers).toContain('The reports use')
  expect(shownSecrets(answers)).toEqual([])
  expect(shownSecrets(prompts.join('\n'))).toEqual([])
  expect(events?.length).toBeGreaterThan(0)
  expect(shownSecrets(JSON.stringify(events))).toEqual([])
})

/** The conversation as a session of pi. */
function writeSession(home: ReturnType<typeof fakeHome>, count = PLANTED.length): string {
  const lines = plantedConversation()
    .slice(0, count)
    .map((message, index) => ({ type: 'message', id: `m${index}`, message: toPiMessage(message, {}) }))
  const head = { type: 'session', version: 3, id: 's', cwd: '/work/shop' }
  return home.write('.pi/agent/sessions/p/1.jsonl', [head, ...lines])
}

test('no file of the index of recall holds one', async () => {
  using home = fakeHome()
  writeSession(home)
  const folder = join(home.home, 'recall')
  const failures: string[] = []
  const index = await openSessionIndex({
    ...{ folder, env: { ...process.env }, scope: 'all', project: '/work/shop', asking: undefined },
    log: (line) => failures.push(line),
  })
  await index.catchUp()
  const [listed] = await index.store.list({ limit: 10 })
  const stored = await (await index.store.find({ key: listed?.key ?? '' }))?.messages({ limit: 1_000 })
  await index.close()
  expect(failures).toEqual([])
  expect(stored?.length).toBe(PLANTED.length)
  expect(shownSecrets(filesOf(folder))).toEqual([])
})

/** The bytes of all files of a folder, as text. */
function filesOf(folder: string): string {
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'latin1'))
    .join('\n')
}

test('recall shows none of a store that holds them all', async () => {
  const store = await openStore(undefined)
  const stored = await store.session({ key: 's' }, 1)
  const messages = plantedConversation().map((message) => ({ message, tokens: 9 }))
  await stored.append({ nextSeq: 0, messages, at: 1 })
  const sessions = async () => ({ sessions: [{ key: 's' }] })
  const tools = createLcmStoreTools({
    ...{ store: redactingStore(store), sessions },
  })
  let answers = ''
  for (let seq = 0; seq < PLANTED.length; seq++) {
    const id = `m${seq}`
    answers += `${await tools.call('lcm_expand', { id, session: 's', form: 'json' })}\n`
    const { secret } = PLANTED[seq] ?? { secret: '' }
    const query = tellingParts(secret)[0] ?? secret
    if (seq % 8 === 0)
      expect(await tools.call('lcm_grep', { query, mode: 'substring' })).toContain('"hits":[]')
  }
  await store.close()
  expect(answers).toContain('[REDACTED:')
  expect(shownSecrets(answers)).toEqual([])
})

test('what the hook quotes shows none', async () => {
  using home = fakeHome()
  const said = plantedConversation().filter(({ role }) => role === 'user')
  let quoted = ''
  for (let first = 0; first < said.length; first += 4) {
    const lines = said.slice(first, first + 4).map((message) => ({ type: 'user', message }))
    const boundary = { type: 'system', subtype: 'compact_boundary' }
    const transcript_path = home.write(`${first}.jsonl`, [...lines, boundary])
    const call = JSON.stringify({ hook_event_name: 'SessionStart', source: 'compact', transcript_path })
    quoted += await runHook(Readable.from([Buffer.from(call)]), { PALIMPSEST_HOME: home.home })
  }
  expect(quoted.match(/week \d+/g)?.length).toBeGreaterThan(said.length / 2)
  expect(shownSecrets(quoted)).toEqual([])
})

test('no page of sessions shows one in its API, with the views of --redact, nor an export', async () => {
  using home = fakeHome()
  const path = writeSession(home, 256)
  const [file] = (await findSessionFiles(process.env)).files
  if (file === undefined) throw new Error('there is no session')
  const page = await showSessions([await describeSession(file)])
  const get = async (route: string) => (await fetch(`${page.url}/api/sessions${route}`)).text()
  const answers = [await get(''), await get('/1')]
  await page.close()
  answers.push((await runSessions('export', path, '--format', 'jsonl', '--redact')).stdout)
  for (const shown of answers.slice(1)) expect(shown.match(/\[REDACTED:/g)?.length).toBeGreaterThan(100)
  expect(shownSecrets(answers.join('\n'))).toEqual([])
})

test('no log of the service shows one, when its model fails with all of them', async () => {
  const said = PLANTED.map(({ text }) => text)
  const service = await startTestService({
    models: {
      answer: scripted(() => {
        throw new Error(said.join('\n'))
      }),
    },
  })
  for (const query of said.slice(0, 40)) {
    const { status } = await service.post('/query', { query, session: 'a' })
    expect(status).toBeGreaterThanOrEqual(500)
  }
  expect(service.log.length).toBeGreaterThan(40)
  expect(shownSecrets(service.log.join('\n'))).toEqual([])
})

test('no log of the gateway shows one, when everything that it is told of fails', async () => {
  const messages = plantedConversation()
  const upstream = await startMockUpstream({
    answer: () => ({
      content: messages
        .slice(0, 64)
        .map((each) => messageText(each))
        .join(' '),
    }),
    piece: 5,
  })
  const gateway = await startTestGateway({
    ...upstream,
    wrapEngine: (engine) => ({
      ...engine,
      open: async () => {
        throw new Error(PLANTED.map(({ text }) => text).join('\n'))
      },
    }),
  })
  for (const type of ['error-event', 'disconnect'] as const) {
    upstream.failNext({ type })
    const stream = await gateway.client().chat.completions.create({
      model: 'mock-large',
      messages: [{ role: 'user', content: 'hello' }],
      stream: true,
    })
    await expect(
      (async () => {
        for await (const _ of stream);
      })(),
    ).rejects.toThrow()
  }
  expect(gateway.log.join('\n')).toContain('[REDACTED:')
  expect(shownSecrets(gateway.log.join('\n'))).toEqual([])
})
