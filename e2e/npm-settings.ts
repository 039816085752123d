import { REPOSITORY_ROOT } from './repository-root.ts'
import { mustRun } from './run-command.ts'

/** Where npm on this machine gets packages from, and how it reaches that place. */
export interface NpmSettings {
  readonly registry: string
  readonly httpProxy?: string
  readonly httpsProxy?: string
  readonly noProxy?: string
  /** A file with additional certificate authorities. */
  readonly caFile?: string
  readonly strictSsl: boolean
}

/** Asks npm, so that its files, the environment and its defaults count as they do for a user. */
export async function readNpmSettings(): Promise<NpmSettings> {
  const { stdout } = await mustRun('npm', ['config', 'list', '--long', '--json'], { cwd: REPOSITORY_ROOT })
  const config: Record<string, unknown> = JSON.parse(stdout)
  const text = (key: string) => {
    const value = [config[key]].flat().filter(Boolean).join(',')
    return value === '' ? undefined : value
  }
  const registry = text('registry')
  if (registry === undefined) throw new Error('npm has no registry; `npm config get registry` must print one')
  const settings = {
    httpProxy: text('proxy'),
    httpsProxy: text('https-proxy'),
    noProxy: text('noproxy'),
    caFile: text('cafile'),
  }
  const given = Object.entries(settings).filter(([, value]) => value !== undefined)
  return { registry, strictSsl: config['strict-ssl'] !== false, ...Object.fromEntries(given) }
}
