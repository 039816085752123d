import { convertArrayToReadableStream, MockLanguageModelV4 } from 'ai/test'

export type Call = MockLanguageModelV4['doGenerateCalls'][number]
type Result = Awaited<ReturnType<MockLanguageModelV4['doGenerate']>>
export type Content = Result['content'][number]

/** Tokens of a prompt with its tools, at four characters each, as the provider would report them. */
export function promptTokens({ prompt, tools }: Call): number {
  return Math.ceil(JSON.stringify([prompt, tools]).length / 4)
}

/** A model of the AI SDK that answers what it is told to, and counts what it is sent. `index` counts its calls. */
export function mockModel(answer: (call: Call, index: number) => string | Content[]) {
  const calls: Call[] = []
  const respond = (call: Call): Result => {
    const said = answer(call, calls.push(call) - 1)
    const content = typeof said === 'string' ? [text(said)] : said
    const isCalling = content.some(({ type }) => type === 'tool-call')
    const total = promptTokens(call)
    return {
      content,
      finishReason: { unified: isCalling ? 'tool-calls' : 'stop', raw: undefined },
      usage: {
        inputTokens: { total, noCache: total, cacheRead: 0, cacheWrite: 0 },
        outputTokens: { total: 10, text: 10, reasoning: 0 },
      },
      warnings: [],
    }
  }
  const model = new MockLanguageModelV4({
    doGenerate: async (call) => respond(call),
    doStream: async (call) => {
      const { content, finishReason, usage } = respond(call)
      return {
        stream: convertArrayToReadableStream([
          { type: 'stream-start' as const, warnings: [] },
          ...content.flatMap(streamed),
          { type: 'finish' as const, finishReason, usage },
        ]),
      }
    },
  })
  return { model, calls }
}

type StreamPart =
  Awaited<ReturnType<MockLanguageModelV4['doStream']>>['stream'] extends ReadableStream<infer Part>
    ? Part
    : never

function streamed(part: Content, index: number): StreamPart[] {
  const id = String(index)
  if (part.type === 'tool-call') return [part]
  if (part.type !== 'text' && part.type !== 'reasoning') throw new Error(`not streamed: ${part.type}`)
  const { type, text: delta, ...meta } = part
  return [
    { type: `${type}-start`, id },
    { type: `${type}-delta`, id, delta },
    { type: `${type}-end`, id, ...meta },
  ]
}

export function text(said: string): Content {
  return { type: 'text', text: said }
}

export function call(toolCallId: string, toolName: string, input: object = {}): Content {
  return { type: 'tool-call', toolCallId, toolName, input: JSON.stringify(input) }
}

/** A thought that only this provider can read, bound to everything before it. */
export function thought(said: string): Content {
  return { type: 'reasoning', text: said, providerMetadata: { anthropic: { signature: `signed ${said}` } } }
}
