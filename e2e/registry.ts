import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installVerdaccio } from './install-verdaccio.ts'
import { type NpmSettings, readNpmSettings } from './npm-settings.ts'

/** A package registry on this machine. */
export interface Registry {
  /** Its address, with a trailing slash. */
  readonly url: string
  readonly stop: () => Promise<void>
}

/**
 * Starts an empty registry that keeps its files in `folder` and its log in `registry.log` there. Whatever was not
 * published to it comes from the registry that npm on this machine uses, except what these tests publish: packages
 * of this project and engines are ours, or do not exist.
 */
export async function startRegistry(folder: string): Promise<Registry> {
  const [verdaccio, settings] = await Promise.all([installVerdaccio(), readNpmSettings()])
  const configFile = join(folder, 'registry.yaml')
  // JSON is YAML.
  await writeFile(configFile, JSON.stringify(configuration(folder, settings)))
  const child = fork(fileURLToPath(new URL('serve-registry.ts', import.meta.url)), [verdaccio, configFile], {
    stdio: 'ignore',
    execArgv: [],
    env: environment(settings),
  })
  const port = await portOf(child, folder)
  return {
    url: `http://127.0.0.1:${port}/`,
    stop: async () => {
      const ended = once(child, 'exit')
      if (child.exitCode === null && child.kill()) await ended
    },
  }
}

function configuration(folder: string, settings: NpmSettings): object {
  const open = { access: '$all', publish: '$all' }
  return {
    storage: join(folder, 'storage'),
    auth: {},
    web: { enable: false },
    log: { type: 'file', path: join(folder, 'registry.log'), level: 'warn' },
    uplinks: {
      upstream: {
        url: settings.registry,
        strict_ssl: settings.strictSsl,
        maxage: '1h',
        timeout: '60s',
        // A single failed request must not switch the uplink off for the rest of the run.
        max_fails: 100,
        ...(settings.httpProxy !== undefined && { http_proxy: settings.httpProxy }),
        ...(settings.httpsProxy !== undefined && { https_proxy: settings.httpsProxy }),
        ...(settings.noProxy !== undefined && { no_proxy: settings.noProxy }),
      },
    },
    packages: {
      '@palimpsest/*': open,
      'context-engine-*': open,
      '**': { ...open, proxy: 'upstream' },
    },
  }
}

/** Certificate authorities go through the environment: verdaccio's own option replaces Node's list. */
function environment({ caFile }: NpmSettings): NodeJS.ProcessEnv {
  return caFile === undefined ? process.env : { ...process.env, NODE_EXTRA_CA_CERTS: caFile }
}

function portOf(child: ChildProcess, folder: string): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('message', (message) => resolve((message as { readonly port: number }).port))
    child.once('error', reject)
    child.once('exit', (code) =>
      reject(new Error(`the registry ended with ${code} before it listened; its log is in ${folder}`)),
    )
  })
}
