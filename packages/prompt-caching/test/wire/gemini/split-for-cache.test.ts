import { GoogleGenAI } from '@google/genai'
import { InvalidOptionError } from '@palimpsest/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { deepFreeze } from '../../../../core/test/arbitraries.ts'
import { counted } from '../../../../core/test/counted.ts'
import { type GeminiContent, type GeminiRequest, partsOf } from '../../../src/wire/gemini/gemini-request.ts'
import { splitForCache } from '../../../src/wire/gemini/split-for-cache.ts'
import { anchor, onMessage } from '../ai-sdk/requests.ts'
import type { HostRequest } from './gemini-request.test-d.ts'

const SIGNATURE = 'c2lnbmF0dXJl+/='
const request: HostRequest = {
  model: 'gemini-2.5-pro',
  contents: [
    { role: 'user', parts: [{ text: 'Read the file.' }] },
    {
      role: 'model',
      parts: [{ functionCall: { id: 'c1', name: 'read', args: { path: 'a' } }, thoughtSignature: SIGNATURE }],
    },
    {
      role: 'user',
      parts: [{ functionResponse: { id: 'c1', name: 'read', response: { text: 'content' } } }],
    },
    { role: 'model', parts: [{ text: 'It says content.', thoughtSignature: SIGNATURE }] },
    { role: 'user', parts: [{ text: 'And now?' }] },
  ],
  config: {
    systemInstruction: 'You help.',
    tools: [{ functionDeclarations: [{ name: 'read' }] }],
    toolConfig: { functionCallingConfig: { allowedFunctionNames: ['read'] } },
    temperature: 0,
  },
}

/** The two requests of a split: the one that creates the cache, and the one that uses it. */
async function sent(split: ReturnType<typeof splitForCache<HostRequest>>) {
  const bodies: { url: string; body: Record<string, unknown>; text: string }[] = []
  const recording: typeof fetch = async (url, init) => {
    const text = String(init?.body)
    bodies.push({ url: new URL(String(url)).pathname, body: JSON.parse(text), text })
    const answer = bodies.length === 1 ? { name: 'cachedContents/42' } : { candidates: [] }
    return Response.json(answer)
  }
  const ai = new GoogleGenAI({ apiKey: 'none', httpOptions: { fetch: recording } })
  const { name } = await ai.caches.create(split.create)
  await ai.models.generateContent(split.withCache(name as string))
  return bodies
}

describe('through @google/genai', () => {
  it('case 42: the cache is created with its lifetime, tools and system prompt, and used without them', async () => {
    const [create, use] = await sent(
      splitForCache(request, onMessage(3, 0, '1h'), { displayName: 'session 1' }),
    )
    expect(create?.url).toMatch(/\/cachedContents$/)
    expect(create?.body).toEqual({
      model: 'models/gemini-2.5-pro',
      contents: request.contents.slice(0, 4),
      systemInstruction: { parts: [{ text: 'You help.' }], role: 'user' },
      tools: request.config?.tools,
      toolConfig: request.config?.toolConfig,
      ttl: '3600s',
      displayName: 'session 1',
    })
    expect(use?.url).toMatch(/gemini-2.5-pro:generateContent$/)
    expect(use?.body).toEqual({
      cachedContent: 'cachedContents/42',
      contents: request.contents.slice(4),
      generationConfig: { temperature: 0 },
    })
  })

  it('signatures of thoughts reach the cache byte for byte', async () => {
    const [create] = await sent(splitForCache(request, onMessage(3)))
    expect(create?.text.split(SIGNATURE)).toHaveLength(3)
    expect(create?.body.contents).toEqual(request.contents.slice(0, 4))
  })

  it('an anchor on the system prompt caches no contents', async () => {
    const [create, use] = await sent(splitForCache(request, anchor({ at: 'system', block: 0 })))
    expect(create?.body).not.toHaveProperty('contents')
    expect(create?.body).toMatchObject({ ttl: '300s', tools: request.config?.tools })
    expect(use?.body.contents).toEqual(request.contents)
  })
})

it.each([
  ['5m', '300s'],
  ['30m', '1800s'],
  ['1h', '3600s'],
  ['12h', '43200s'],
] as const)('case 42: a lifetime of %s is written %s', (ttl, seconds) => {
  expect(splitForCache(request, onMessage(0, 0, ttl)).create.config.ttl).toBe(seconds)
})

it('a call stays with its response, and the last content is always left to send', () => {
  const cachedUpTo = (index: number) =>
    splitForCache(request, onMessage(index)).create.config.contents?.length ?? 0
  expect([0, 1, 2, 3, 4, 99].map(cachedUpTo)).toEqual([1, 1, 3, 4, 4, 4])
})

it('a request that uses a cache already is refused with what to do', () => {
  const used = { ...request, config: { cachedContent: 'cachedContents/1' } }
  expect(() => splitForCache(used, onMessage(0))).toThrow(InvalidOptionError)
  expect(() => splitForCache(used, onMessage(0))).toThrow('take config.cachedContent out')
})

const call = fc.record({
  id: fc.option(fc.constantFrom('1', '2'), { nil: undefined }),
  name: fc.constantFrom('a', 'b'),
})
const odd = fc.constantFrom(null, 'text', { role: 'user', parts: null }, {})
const part = fc.oneof(
  odd,
  fc.record({ text: fc.string() }),
  fc.record({ functionCall: call, thoughtSignature: fc.base64String() }),
  fc.record({ functionResponse: call }),
  fc.constant({ functionCall: null, functionResponse: null }),
)
/** Any order of calls and responses, whether the API would take it or not. */
const content = fc.record({ role: fc.constantFrom('user', 'model'), parts: fc.array(part, { maxLength: 3 }) })
const generated = fc.record({
  request: fc
    .record({
      model: fc.constant('m'),
      contents: fc.array(fc.oneof({ weight: 5, arbitrary: content }, odd), { minLength: 1, maxLength: 8 }),
    })
    .map((made) => deepFreeze(made) as unknown as GeminiRequest),
  index: fc.integer({ min: -1, max: 9 }),
})

describe('laws of splitting for Gemini', () => {
  const law = (
    claim: string,
    check: (split: ReturnType<typeof splitForCache>, from: GeminiRequest, index: number) => void,
  ) =>
    it(claim, () =>
      counted(
        `gemini: ${claim}`,
        fc.property(generated, ({ request: from, index }) =>
          check(splitForCache(from, onMessage(index)), from, index),
        ),
        1000,
        'frozen requests',
      ),
    )

  law(
    'what is cached and what is left are the contents, shared and in their order',
    ({ create, rest }, from) => {
      const joined = [...(create.config.contents ?? []), ...rest.contents]
      expect(joined).toHaveLength(from.contents.length)
      for (const [at, one] of joined.entries()) expect(one).toBe(from.contents[at])
    },
  )

  law(
    'something is left to send, and no more is cached than the anchor says',
    ({ create, rest }, _, index) => {
      expect(rest.contents.length).toBeGreaterThan(0)
      expect(create.config.contents?.length ?? 0).toBeLessThanOrEqual(Math.max(index + 1, 0))
    },
  )

  law('no call in the cache is answered outside of it', ({ create, rest }) => {
    const waiting = unanswered(create.config.contents ?? [])
    const answers = keysOf(rest.contents, 'functionResponse')
    expect(waiting.filter((key) => answers.includes(key))).toEqual([])
  })
})

function keysOf(contents: readonly GeminiContent[], field: 'functionCall' | 'functionResponse'): string[] {
  return contents
    .flatMap(partsOf)
    .flatMap((one) => one[field] ?? [])
    .map(({ id, name }) => id ?? name ?? '')
}

/** Calls that no later response answers. */
function unanswered(contents: readonly GeminiContent[]): string[] {
  const waiting: string[] = []
  for (const { functionCall, functionResponse } of contents.flatMap(partsOf)) {
    if (functionCall) waiting.push(functionCall.id ?? functionCall.name ?? '')
    const answered = functionResponse
      ? waiting.indexOf(functionResponse.id ?? functionResponse.name ?? '')
      : -1
    if (answered !== -1) waiting.splice(answered, 1)
  }
  return waiting
}
