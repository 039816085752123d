/** A `fetch` that keeps what was sent and answers with these bodies, the last one again and again. */
export function recordingFetch(...answers: object[]): {
  readonly fetch: typeof fetch
  readonly bodies: WireBody[]
} {
  const bodies: WireBody[] = []
  return {
    bodies,
    fetch: async (_url, init) => {
      bodies.push(JSON.parse(String(init?.body)) as WireBody)
      return Response.json(answers[Math.min(bodies.length, answers.length) - 1])
    },
  }
}

/** The members of any provider's body that the tests read. */
export interface WireBody {
  readonly cache_control?: unknown
  readonly prompt_cache_key?: string
  readonly system?: WirePart[]
  readonly tools?: WirePart[]
  readonly messages: {
    readonly role: string
    readonly content: string | WirePart[]
    readonly cache_control?: unknown
  }[]
}

interface WirePart {
  readonly type: string
  readonly text?: string
  readonly name?: string
  readonly cache_control?: unknown
}

/** An answer of Anthropic's Messages API. */
export function anthropicAnswer(...content: object[]): object {
  return {
    type: 'message',
    id: 'msg_1',
    model: 'claude-opus-5-5',
    role: 'assistant',
    content,
    stop_reason: content.some((block) => 'input' in block) ? 'tool_use' : 'end_turn',
    usage: { input_tokens: 10, output_tokens: 5, cache_creation_input_tokens: 7, cache_read_input_tokens: 3 },
  }
}

/** An answer of a Chat Completions API. */
export const chatAnswer = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'some-model',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Done.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
}
