import OpenAI from 'openai'

type Item = Readonly<Record<string, unknown>> & { readonly type?: unknown }

/** The body of a request to the Responses API, as far as tests look at it. */
export interface ResponsesBody {
  readonly input: readonly Item[]
  readonly instructions?: string
  readonly stream?: boolean
  readonly tools?: readonly { readonly name?: string }[]
}

/**
 * OpenAI's client with a Responses API behind it that answers with what it is told: items, or the last event of a stream that
 * fails. `index` counts the requests.
 */
export function responsesApi(answer: (body: ResponsesBody, index: number) => readonly Item[] | Item) {
  const bodies: ResponsesBody[] = []
  const fetch = async (_: unknown, init?: { readonly body?: unknown }): Promise<Response> => {
    const body = JSON.parse(String(init?.body)) as ResponsesBody
    const index = bodies.push(body) - 1
    const input = Math.ceil(JSON.stringify([body.instructions, body.input, body.tools]).length / 4)
    const output = answer(body, index)
    const response = {
      id: `resp_${index}`,
      object: 'response',
      status: 'completed',
      output,
      usage: {
        input_tokens: input,
        input_tokens_details: { cached_tokens: 0 },
        output_tokens: 20,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: input + 20,
      },
    }
    if (!body.stream) return Response.json(response)
    const begun = { ...response, status: 'in_progress', output: [], usage: null }
    return streamed([
      { type: 'response.created', response: begun },
      { type: 'response.in_progress', response: begun },
      'type' in output ? output : { type: 'response.completed', response },
    ])
  }
  return {
    client: new OpenAI({ apiKey: 'key', fetch: fetch as typeof globalThis.fetch, maxRetries: 0 }),
    bodies,
  }
}

function streamed(events: readonly Item[]): Response {
  const text = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')
  return new Response(text, { headers: { 'content-type': 'text/event-stream' } })
}

/** An answer in words. */
export function said(id: string, text: string): Item {
  const content = [{ type: 'output_text', text, annotations: [] }]
  return { type: 'message', id, role: 'assistant', status: 'completed', content }
}

/** A thought, and the call that belongs to it: OpenAI refuses the one without the other. */
export function thoughtAndCall(id: string, name: string, args: object): Item[] {
  return [
    { type: 'reasoning', id: `rs_${id}`, summary: [], encrypted_content: `thought of ${id}` },
    {
      type: 'function_call',
      id: `fc_${id}`,
      call_id: `call_${id}`,
      name,
      arguments: JSON.stringify(args),
      status: 'completed',
    },
  ]
}
