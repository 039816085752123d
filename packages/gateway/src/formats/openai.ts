import type { Loose } from '@palimpsest/core'
import type { GatewayFault } from '../http/gateway-fault.ts'

type Addition = 'tools' | 'usage'

const REFUSALS: Readonly<Record<Addition, RegExp>> = {
  // Ollama: "… does not support tools"; vLLM: "tool choice requires --enable-auto-tool-choice"; OpenRouter: "no
  // endpoints found that support tool use"; llama.cpp: "tools param requires --jinja flag"; OpenAI: "Unsupported
  // parameter: 'tools'".
  tools:
    /(?:support|unrecogni[sz]ed|unknown|requires?).{0,80}\b(?:tools?|functions?)\b|\b(?:tools?|functions?)\b.{0,80}(?:support|unrecogni[sz]ed|unknown|requires?|not permitted)/is,
  usage: /stream_options|include_usage/i,
}
const FIELDS: Readonly<Record<Addition, string>> = { tools: 'tools', usage: 'stream_options' }

export type Additions = ReturnType<typeof createAdditions>

interface RefusedRequest {
  readonly asked: Loose
  readonly sent: Loose
  readonly model: string
  readonly status: number
  readonly refusal: string
}

export function createAdditions() {
  const refused: Record<Addition, Set<string>> = { tools: new Set(), usage: new Set() }
  return {
    mayAdd: (addition: Addition, model: string): boolean => !refused[addition].has(model),
    /** Reads a refusal. True if it concerns only an addition of the gateway, which is then no longer made. */
    learn({ asked, sent, model, status, refusal }: RefusedRequest): boolean {
      if (status !== 400 && status !== 404 && status !== 422) return false
      const culprits = (['tools', 'usage'] as const).filter(
        (addition) =>
          asked[FIELDS[addition]] === undefined &&
          sent[FIELDS[addition]] !== undefined &&
          REFUSALS[addition].test(refusal),
      )
      for (const addition of culprits) refused[addition].add(model)
      return culprits.length > 0
    },
  }
}

const TYPES: Readonly<Record<number, string>> = {
  409: 'conflict_error',
  429: 'rate_limit_error',
  500: 'server_error',
  502: 'server_error',
  503: 'server_error',
  504: 'server_error',
}

export function writeOpenAIFault({ message, status, code, param }: GatewayFault): string {
  return JSON.stringify({ error: { message, type: TYPES[status] ?? 'invalid_request_error', code, param } })
}
