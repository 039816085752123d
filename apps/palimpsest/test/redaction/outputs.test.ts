import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import compressor from '@palimpsest/compressor'
import {
  type CompletionModel,
  createContextSession,
  type EngineDefinition,
  messageText,
  readSummary,
} from '@palimpsest/core'
import decisions from '@palimpsest/decisions'
import lcm from '@palimpsest/lcm'
import { toPiMessage } from '@palimpsest/transcripts'
import { expect, test } from 'vitest'
import { openSessionIndex } from '../../src/recall/session-index.ts'
import { openStore } from '../../src/stores/open-store.ts'
import { startMockUpstream } from '../gateway/mock-upstream.ts'
import { startTestGateway } from '../gateway/test-gateway.ts'
import { scripted, startTestService } from '../serve/test-service.ts'
import { fakeHome } from '../sessions/fake-home.ts'
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

test('no file of the index of recall holds one', async () => {
  using home = fakeHome()
  const lines = plantedConversation().map((message, index) => ({
    type: 'message',
    id: `m${index}`,
    message: toPiMessage(message, {}),
  }))
  home.write('.pi/agent/sessions/p/1.jsonl', [
    { type: 'session', version: 3, id: 's', cwd: '/work/shop' },
    ...lines,
  ])
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
