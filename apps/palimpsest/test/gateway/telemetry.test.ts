import { metrics, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import * as conventions from '@opentelemetry/semantic-conventions/incubating'
import { expect, onTestFinished, test } from 'vitest'
import { startMockUpstream } from './mock-upstream.ts'
import { startTestGateway } from './test-gateway.ts'

/** The SDK of a host, in memory. */
function startTelemetry() {
  const spans = new InMemorySpanExporter()
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
  const reader = new PeriodicExportingMetricReader({ exporter })
  const meters = new MeterProvider({ readers: [reader] })
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }))
  metrics.setGlobalMeterProvider(meters)
  onTestFinished(async () => {
    trace.disable()
    metrics.disable()
    await meters.shutdown()
  })
  const points = async (name: string) => {
    await reader.forceFlush()
    const all =
      exporter
        .getMetrics()
        .at(-1)
        ?.scopeMetrics.flatMap((scope) => scope.metrics) ?? []
    const metric = all.find(({ descriptor }) => descriptor.name === name)
    return { unit: metric?.descriptor.unit, points: metric?.dataPoints ?? [] }
  }
  return { spans: () => spans.getFinishedSpans(), points }
}

const HELLO = { model: 'mock-large', messages: [{ role: 'user' as const, content: 'a secret' }] }
const {
  ATTR_GEN_AI_CONVERSATION_ID,
  ATTR_GEN_AI_OPERATION_NAME,
  ATTR_GEN_AI_PROVIDER_NAME,
  ATTR_GEN_AI_REQUEST_MODEL,
  ATTR_GEN_AI_TOKEN_TYPE,
  ATTR_GEN_AI_USAGE_CACHE_READ_INPUT_TOKENS,
  ATTR_GEN_AI_USAGE_INPUT_TOKENS,
  ATTR_GEN_AI_USAGE_OUTPUT_TOKENS,
  METRIC_GEN_AI_CLIENT_OPERATION_DURATION,
  METRIC_GEN_AI_CLIENT_TOKEN_USAGE,
} = conventions

test('requests to the upstream are spans and metrics by the GenAI conventions, without texts', async () => {
  const telemetry = startTelemetry()
  const upstream = await startMockUpstream({ answer: () => ({ content: 'a secret answer' }) })
  const { client } = await startTestGateway(upstream)
  await client().chat.completions.create(HELLO, { headers: { 'x-palimpsest-session': 'task' } })
  await client()
    .chat.completions.stream({ ...HELLO, stream_options: { include_usage: true } })
    .finalChatCompletion()
  const [span, streamed] = telemetry.spans()
  const prompt = upstream.requests[0]?.promptTokens
  const facts = {
    [ATTR_GEN_AI_OPERATION_NAME]: 'chat',
    [ATTR_GEN_AI_PROVIDER_NAME]: 'openai',
    [ATTR_GEN_AI_REQUEST_MODEL]: 'mock-large',
  }
  expect(span).toMatchObject({ name: 'chat mock-large', kind: SpanKind.CLIENT })
  expect(span?.attributes).toEqual({
    ...facts,
    [ATTR_GEN_AI_CONVERSATION_ID]: 'task',
    [ATTR_GEN_AI_USAGE_INPUT_TOKENS]: prompt,
    [ATTR_GEN_AI_USAGE_OUTPUT_TOKENS]: expect.any(Number),
    [ATTR_GEN_AI_USAGE_CACHE_READ_INPUT_TOKENS]: 0,
  })
  expect(streamed?.attributes).toMatchObject({ [ATTR_GEN_AI_USAGE_OUTPUT_TOKENS]: expect.any(Number) })
  const { unit, points } = await telemetry.points(METRIC_GEN_AI_CLIENT_TOKEN_USAGE)
  expect(unit).toBe('{token}')
  expect(points.map(({ attributes }) => attributes)).toEqual(
    ['input', 'output'].map((type) => ({ ...facts, [ATTR_GEN_AI_TOKEN_TYPE]: type })),
  )
  const input = prompt === undefined ? undefined : prompt + (upstream.requests[1]?.promptTokens ?? 0)
  expect(points[0]?.value).toMatchObject({ count: 2, sum: input })
  const durations = await telemetry.points(METRIC_GEN_AI_CLIENT_OPERATION_DURATION)
  expect(durations).toMatchObject({ unit: 's', points: [{ attributes: facts, value: { count: 2 } }] })
  expect(
    JSON.stringify(telemetry.spans().map(({ attributes, events }) => [attributes, events])),
  ).not.toContain('secret')
})

test.each([
  [{ type: 'status', status: 429, body: '{"error": {"message": "slow down"}}' }, '429'],
  [{ type: 'end' }, 'upstream_disconnected'],
] as const)('a request that fails with %j is a span with an error', async (fault, type) => {
  const telemetry = startTelemetry()
  const upstream = await startMockUpstream({ answer: () => ({ content: 'hi' }) })
  const { client } = await startTestGateway(upstream)
  upstream.failNext(fault)
  await expect(client().chat.completions.stream(HELLO).finalChatCompletion()).rejects.toThrow()
  const attributes = { 'error.type': type }
  expect(telemetry.spans()).toMatchObject([{ attributes, status: { code: SpanStatusCode.ERROR } }])
  const { points } = await telemetry.points(METRIC_GEN_AI_CLIENT_OPERATION_DURATION)
  expect(points).toMatchObject([{ attributes }])
})
