import { metrics as telemetry } from '@opentelemetry/api'
import { billedUsage, type SessionEvent, type Usage } from '@palimpsest/core'
import type { Inspector } from '@palimpsest/inspector'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

export type Metrics = ReturnType<typeof createMetrics>

interface EndedCall {
  readonly path: string
  readonly status: number
  readonly milliseconds: number
}

interface ShownPool {
  readonly loaded: number
  readonly waiting: number
}

/** Unknown paths are counted together, because callers make them up. */
const ROUTES = new Set([
  ...['/', '/init', '/query', '/compact', '/state', '/costs', '/health', '/metrics', '/openapi.json'],
  ...['/v1/chat/completions', '/v1/messages', '/v1/responses', '/v1/models'],
])
const CALL_BOUNDARIES = [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300]

export function createMetrics() {
  const registry = new Registry()
  const counter = createCounters(registry)
  const take = sessionCounters(counter)
  const calls = counter('http_requests', 'Calls that were answered.', ['route', 'status'])
  const durations = new Histogram({
    name: 'palimpsest_http_request_duration_seconds',
    help: 'Time until an answer is over, or a stream begins.',
    labelNames: ['route'],
    buckets: CALL_BOUNDARIES,
    registers: [registry],
  })
  const gauge = (name: string, help: string, values: () => readonly (readonly [string, number])[]) =>
    new Gauge({
      name: `palimpsest_${name}`,
      help,
      labelNames: ['source'],
      registers: [registry],
      collect() {
        for (const [source, value] of values()) this.set({ source }, value)
      },
    })

  return {
    count: (inspector: Inspector): Inspector => ({
      ...inspector,
      watch(session, about) {
        session.subscribe((event) => take(about?.source ?? 'service', event))
        return inspector.watch(session, about)
      },
    }),
    called({ path, status, milliseconds }: EndedCall): void {
      const route = ROUTES.has(path) ? path : (/^\/(?:v1|api)\//.exec(path)?.[0] ?? 'other')
      calls({ route, status: String(status) })
      durations.observe({ route }, milliseconds / 1_000)
    },
    show(pools: Readonly<Record<'service' | 'gateway', ShownPool | undefined>>): void {
      const numbers = (of: keyof ShownPool) => () =>
        Object.entries(pools).map(([source, pool]) => [source, pool?.[of] ?? 0] as const)
      gauge('conversations', 'Conversations in memory.', numbers('loaded'))
      gauge('waiting_requests', 'Requests that wait for others of their conversation.', numbers('waiting'))
    },
    text: (): Promise<string> => Registry.merge([registry, processRegistry()]).metrics(),
    contentType: registry.contentType,
  }
}

type Count = (labels: Readonly<Record<string, string>>, value?: number) => void
type MakeCounter = (name: string, help: string, labelNames: string[]) => Count

function createCounters(registry: Registry): MakeCounter {
  const meter = telemetry.getMeter('@palimpsest/cli')
  return (name, help, labelNames) => {
    const prometheus = new Counter({
      name: `palimpsest_${name}_total`,
      help,
      labelNames,
      registers: [registry],
    })
    const other = meter.createCounter(`palimpsest.${name}`, { description: help })
    return (labels, value = 1) => {
      prometheus.inc(labels, value)
      other.add(value, labels)
    }
  }
}

function sessionCounters(counter: MakeCounter) {
  const compactions = counter('compactions', 'Compactions that were tried, by what became of them.', [
    'source',
    'outcome',
  ])
  const compacted = counter('compacted_tokens', 'Tokens of contexts before and after compactions.', [
    'source',
    'when',
  ])
  const tokens = counter('model_tokens', 'Tokens of requests and answers, as providers reported them.', [
    'source',
    'kind',
  ])
  const warnings = counter('warnings', 'Degradations of contexts, by code.', ['source', 'code'])

  const use = (source: string, usage: Usage) => {
    const { promptTokens, completionTokens, cacheReadTokens = 0, cacheWriteTokens = 0 } = billedUsage(usage)
    tokens({ source, kind: 'prompt' }, promptTokens)
    tokens({ source, kind: 'completion' }, completionTokens)
    tokens({ source, kind: 'cache_read' }, cacheReadTokens)
    tokens({ source, kind: 'cache_write' }, cacheWriteTokens)
  }
  return (source: string, event: SessionEvent): void => {
    if (event.type === 'warning') warnings({ source, code: event.warning.code })
    else if (event.type === 'compaction') {
      const { outcome, tokensBefore, tokensAfter } = event.result
      const isUsed = outcome === 'compacted' && event.committed
      compactions({ source, outcome: isUsed || outcome !== 'compacted' ? outcome : 'rejected' })
      if (!isUsed) return
      compacted({ source, when: 'before' }, tokensBefore)
      compacted({ source, when: 'after' }, tokensAfter)
    } else if (event.type === 'usage') use(source, event.usage)
  }
}

let ofProcess: Registry | undefined

function processRegistry(): Registry {
  if (ofProcess === undefined) {
    ofProcess = new Registry()
    collectDefaultMetrics({ register: ofProcess })
  }
  return ofProcess
}
