import { type Attributes, metrics, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { billedUsage, type Clock, normalizeUsage } from '@palimpsest/core'
import { PassedOn } from './http/gateway-fault.ts'

/** A call of a model, in the terms of OpenTelemetry's GenAI conventions. */
export interface ModelCall {
  /** The provider, such as `openai`, `anthropic` or `gcp.gemini`. */
  readonly provider: string
  readonly model: string
  /** The id of the conversation. Default: none. */
  readonly conversation?: string
  readonly clock: Clock
}

const SCOPE = '@palimpsest/gateway'

/**
 * Runs a model's call inside a span, and records its duration and tokens, by OpenTelemetry's GenAI conventions. No text
 * of a conversation is recorded. Does nothing without the host's SDK.
 */
export function traceModelCall<Answer extends { readonly usage?: object | undefined }>(
  { provider, model, conversation, clock }: ModelCall,
  run: () => Promise<Answer>,
): Promise<Answer> {
  const facts = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': provider,
    'gen_ai.request.model': model,
  }
  const attributes = {
    ...facts,
    ...(conversation !== undefined && { 'gen_ai.conversation.id': conversation }),
  }
  const from = clock.now()
  const options = { kind: SpanKind.CLIENT, attributes }
  return trace.getTracer(SCOPE).startActiveSpan(`chat ${model}`, options, async (span) => {
    let failure: Attributes = {}
    try {
      const answer = await run()
      span.setAttributes(countTokens(answer.usage, facts))
      return answer
    } catch (error) {
      failure = { 'error.type': errorType(error) }
      span.setAttributes(failure).setStatus({ code: SpanStatusCode.ERROR })
      throw error
    } finally {
      span.end()
      instruments().duration.record((clock.now() - from) / 1_000, { ...facts, ...failure })
    }
  })
}

function countTokens(usage: object | undefined, facts: Attributes): Attributes {
  const counted = usage === undefined ? null : billedUsage(normalizeUsage(usage))
  if (counted === null) return {}
  const { promptTokens, completionTokens, cacheReadTokens, cacheWriteTokens } = counted
  const { tokens } = instruments()
  tokens.record(promptTokens, { ...facts, 'gen_ai.token.type': 'input' })
  tokens.record(completionTokens, { ...facts, 'gen_ai.token.type': 'output' })
  return {
    'gen_ai.usage.input_tokens': promptTokens,
    'gen_ai.usage.output_tokens': completionTokens,
    ...(cacheReadTokens !== undefined && { 'gen_ai.usage.cache_read.input_tokens': cacheReadTokens }),
    ...(cacheWriteTokens !== undefined && { 'gen_ai.usage.cache_creation.input_tokens': cacheWriteTokens }),
  }
}

/** The conventions' boundaries: powers of 4, in tokens, and of 2, from 0.01 s. */
const TOKEN_BOUNDARIES = Array.from({ length: 14 }, (_, power) => 4 ** power)
const SECOND_BOUNDARIES = Array.from({ length: 14 }, (_, power) => 2 ** power / 100)

let made: { readonly by: unknown } & ReturnType<typeof makeInstruments>

/** The host's provider may be registered after the first call. */
function instruments(): ReturnType<typeof makeInstruments> {
  const by = metrics.getMeterProvider()
  if (made?.by !== by) made = { by, ...makeInstruments() }
  return made
}

function makeInstruments() {
  const meter = metrics.getMeter(SCOPE)
  return {
    tokens: meter.createHistogram('gen_ai.client.token.usage', {
      description: 'Number of input and output tokens used.',
      unit: '{token}',
      advice: { explicitBucketBoundaries: TOKEN_BOUNDARIES },
    }),
    duration: meter.createHistogram('gen_ai.client.operation.duration', {
      description: 'GenAI operation duration.',
      unit: 's',
      advice: { explicitBucketBoundaries: SECOND_BOUNDARIES },
    }),
  }
}

function errorType(error: unknown): string {
  if (error instanceof PassedOn) return String(error.response.status)
  if (!(error instanceof Error)) return '_OTHER'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
