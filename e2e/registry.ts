import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type NpmSettings, readNpmSettings } from './npm-settings.ts'

/** A package registry on this machine. */
export interface Registry {
  /** Its address, with a trailing slash. */
  readonly url: string
  readonly stop: () => Promise<void>
}

/** True for what these tests publish: packages of this project, and engines. The registry asks no other for them. */
export function isOurs(name: string): boolean {
  return /^(@palimpsest\/|context-engine-)/.test(name)
}

/**
 * Starts an empty registry. Whatever was not published to it comes from the registry that npm on this machine uses, except
 * what these tests publish: packages of this project and engines are ours, or do not exist.
 */
export async function startRegistry(): Promise<Registry> {
  const settings = await readNpmSettings()
  const program = fileURLToPath(new URL('serve-registry.ts', import.meta.url))
  const child = fork(program, [settings.registry], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: [],
    env: environment(settings),
  })
  const port = await portOf(child)
  return {
    url: `http://127.0.0.1:${port}/`,
    stop: async () => {
      const ended = once(child, 'exit')
      if (child.exitCode === null && child.kill()) await ended
    },
  }
}

/** The way that npm takes to its registry, in the words of Node. */
function environment({ caFile, httpProxy, httpsProxy, noProxy, strictSsl }: NpmSettings): NodeJS.ProcessEnv {
  return {
    ...process.env,
    NODE_USE_ENV_PROXY: '1',
    ...(caFile !== undefined && { NODE_EXTRA_CA_CERTS: caFile }),
    ...(httpProxy !== undefined && { HTTP_PROXY: httpProxy }),
    ...(httpsProxy !== undefined && { HTTPS_PROXY: httpsProxy }),
    ...(noProxy !== undefined && { NO_PROXY: noProxy }),
    ...(!strictSsl && { NODE_TLS_REJECT_UNAUTHORIZED: '0' }),
  }
}

function portOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('message', (message) => resolve((message as { readonly port: number }).port))
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`the registry ended with ${code} before it listened`)))
  })
}
