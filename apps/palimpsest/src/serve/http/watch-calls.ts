import { SESSION_HEADER } from '@palimpsest/gateway'
import { createRunningCalls, type RunningCall } from '@palimpsest/gateway/pool'
import type { MiddlewareHandler } from 'hono'
import type { Metrics } from '../create-metrics.ts'
import type { CallContext } from './guards.ts'
import { ServiceFault } from './service-fault.ts'

const CALLER_GONE = 499

export type CallWatch = ReturnType<typeof watchCalls>

interface CallWatchInput {
  readonly metrics: Pick<Metrics, 'called'>
  readonly timeLimit: number
  readonly log: (line: string) => void
  readonly now: () => number
}

export function watchCalls({ metrics, timeLimit, log, now }: CallWatchInput) {
  const running = createRunningCalls(shutdownFault)

  const handler: MiddlewareHandler<CallContext> = async (context, next) => {
    const startedAt = now()
    const noted: CallContext['Variables']['noted'] = {}
    let call: RunningCall | undefined
    let timer: NodeJS.Timeout | undefined
    context.set('noted', noted)
    try {
      const begun = running.begin(context.req.raw.signal)
      call = begun
      timer = setTimeout(() => begun.stop(timeFault(timeLimit)), timeLimit)
      context.set('signal', begun.signal)
      await next()
    } finally {
      clearTimeout(timer)
      call?.end()
      const { session = context.res.headers.get(SESSION_HEADER), tokens } = noted
      const status = context.req.raw.signal.aborted ? CALLER_GONE : context.res.status
      const milliseconds = now() - startedAt
      metrics.called({ path: context.req.path, status, milliseconds })
      // An invented path is not logged.
      const path = status === 404 && session === null ? '(unknown)' : context.req.path
      const details = `${session === null ? '' : ` session=${session}`}${tokens === undefined ? '' : ` tokens=${tokens}`}`
      const at = new Date(startedAt).toISOString()
      // Load balancers check every few seconds; changes are logged elsewhere.
      const isRoutine = (path === '/health' || path === '/metrics') && status === 200
      if (!isRoutine) log(`${at} ${context.req.method} ${path} ${status} ${milliseconds}ms${details}`)
    }
  }

  return { handler, drain: running.drain }
}

function timeFault(limit: number): ServiceFault {
  return new ServiceFault(
    504,
    'time-limit',
    `not done within ${limit / 1000} s, and an unfinished turn is not kept; try again`,
  )
}

function shutdownFault(): ServiceFault {
  return new ServiceFault(503, 'shutting-down', 'the service is shutting down; try again', { retryAfter: 5 })
}
