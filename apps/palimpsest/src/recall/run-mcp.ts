import {
  createMcpHandler,
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
} from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { errorText, redactSecrets } from '@palimpsest/core'
import { createRecallServer } from '@palimpsest/mcp'
import { sameSecret } from '../same-secret.ts'
import { stopSignal } from '../stop-signal.ts'
import { version } from '../version.ts'
import { openRecallTools, type RecallFlags } from './recall-tools.ts'

export interface McpFlags extends RecallFlags {
  readonly port?: number
  readonly host: string
  readonly token?: string
}

/** Bytes of one message of a client. */
const MESSAGE_BYTES = 1_000_000

/** `palimpsest mcp`: until its input ends, or a signal comes. */
export async function runMcp(flags: McpFlags, env: NodeJS.ProcessEnv): Promise<number> {
  const token = flags.token ?? (env.PALIMPSEST_TOKEN || undefined)
  if (flags.port !== undefined) {
    const { checkToken } = await import('../serve/http/listen.ts')
    checkToken(token, flags.host)
  }
  const log = (line: string) =>
    void process.stderr.write(`palimpsest mcp: ${redactSecrets(line).replace(/\p{Cc}/gu, ' ')}\n`)
  const opened = await openRecallTools(flags, env, log)
  const sets = opened.map(({ tools }) => tools)
  const factory = () =>
    createRecallServer({ tools: sets, version, ...(flags.record && { offer: () => true }) })
  const stopped = new AbortController()
  try {
    const signal = stopSignal()
    const end = flags.port === undefined ? Promise.race([signal, inputEnd()]) : signal
    for (const { work } of opened)
      work?.(stopped.signal).catch((error) => stopped.signal.aborted || log(errorText(error)))
    if (flags.port === undefined) {
      const server = serveStdio(factory, { onerror: (error) => log(error.message) })
      await end
      await server.close()
    } else await overHttp(factory, { ...flags, port: flags.port, token }, end)
  } finally {
    stopped.abort()
    await Promise.all(opened.map(({ close }) => close()))
  }
  return 0
}

async function overHttp(
  factory: Parameters<typeof createMcpHandler>[0],
  { port, host, token }: { readonly port: number; readonly host: string; readonly token: string | undefined },
  end: Promise<unknown>,
): Promise<void> {
  const { isLoopback } = await import('@palimpsest/gateway')
  const { listen } = await import('../serve/http/listen.ts')
  const { stopListening } = await import('../serve/http/listen.ts')
  const handler = createMcpHandler(factory, { maxRequestBodySize: MESSAGE_BYTES })
  const { server, url } = await listen(
    {
      async fetch(request: Request) {
        if (isLoopback(host)) {
          const refused =
            hostHeaderValidationResponse(request, localhostAllowedHostnames()) ??
            originValidationResponse(request, localhostAllowedOrigins())
          if (refused) return refused
        }
        const given = request.headers.get('authorization') ?? ''
        if (token !== undefined && !sameSecret(`Bearer ${token}`, given))
          return new Response('send the token: Authorization: Bearer <token>\n', {
            status: 401,
            headers: { 'www-authenticate': 'Bearer' },
          })
        if (new URL(request.url).pathname !== '/mcp')
          return new Response('the address is /mcp\n', { status: 404 })
        return handler.fetch(request)
      },
    },
    port,
    host,
  )
  process.stderr.write(`palimpsest mcp: listening on ${url}/mcp\n`)
  await end
  await handler.close()
  await stopListening(server)(0)
}

/** A client that speaks over the input is gone when that ends. */
function inputEnd(): Promise<void> {
  return new Promise((resolve) => {
    process.stdin.once('end', resolve).once('close', resolve)
  })
}
