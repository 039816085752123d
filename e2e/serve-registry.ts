import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { json } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { isOurs } from './registry.ts'

/**
 * The process of `startRegistry`: a registry on a free port of the loopback interface, which tells its parent the port and
 * ends with it. It keeps in memory what is published to it. All other packages come from the registry of its argument.
 */
const base = process.argv[2]?.replace(/\/?$/, '/') ?? ''

/** A registry's document of a package, as `npm publish` sends it. */
interface Packument {
  readonly 'dist-tags': Readonly<Record<string, string>>
  readonly versions: Readonly<Record<string, object>>
  readonly time?: Readonly<Record<string, string>>
  /** Tarballs by name. */
  readonly _attachments?: Readonly<Record<string, { readonly data: string }>>
}

const packages = new Map<string, Packument>()
const tarballs = new Map<string, Buffer>()
/** Documents of other packages, by what was asked for. */
const documents = new Map<string, Promise<{ readonly status: number; readonly text: string }>>()

function publish(name: string, { _attachments = {}, ...sent }: Packument): number {
  const known = packages.get(name)
  const versions = Object.keys(sent.versions)
  if (versions.some((version) => known?.versions[version] !== undefined)) return 409
  const now = new Date().toISOString()
  const times = Object.fromEntries(versions.map((version) => [version, now]))
  packages.set(name, {
    ...sent,
    'dist-tags': { ...known?.['dist-tags'], ...sent['dist-tags'] },
    versions: { ...known?.versions, ...sent.versions },
    time: { created: now, ...known?.time, modified: now, ...times },
  })
  for (const [file, { data }] of Object.entries(_attachments))
    tarballs.set(`${name}/-/${file}`, Buffer.from(data, 'base64'))
  return 201
}

/** A published package, one version of it, or a tarball. Undefined for what is not there. */
function find(name: string, path: string, rest = ''): object | Buffer | undefined {
  if (rest.startsWith('-/')) return tarballs.get(path)
  const packument = packages.get(name)
  return rest === '' ? packument : packument?.versions[rest]
}

/** Asks the other registry. Addresses of tarballs in its documents lead here. */
async function forward(path: string, { headers }: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  if (path.includes('/-/')) {
    const { status, body } = await fetch(base + path)
    outgoing.writeHead(status)
    return pipeline(body === null ? [] : Readable.fromWeb(body), outgoing)
  }
  const { accept = '*/*', host } = headers
  const key = `${accept} ${path}`
  const read = async () => {
    const response = await fetch(base + path.replace('/', '%2f'), { headers: { accept } })
    const own = `"tarball":"http://${host}/${path}/-/`
    return {
      status: response.status,
      text: (await response.text()).replaceAll(/"tarball":\s*"[^"]*\/-\//g, own),
    }
  }
  const document = documents.get(key) ?? read()
  documents.set(key, document)
  const { status, text } = await document.catch((error: unknown) => {
    documents.delete(key)
    throw error
  })
  const type = accept.includes('install-v1') ? 'application/vnd.npm.install-v1+json' : 'application/json'
  // The users of one run need not ask again.
  outgoing.writeHead(status, { 'content-type': type, 'cache-control': 'max-age=3600' }).end(text)
}

async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const path = decodeURIComponent(new URL(incoming.url ?? '', 'http://x').pathname.slice(1))
  const [, name = '', rest] = /^((?:@[^/]+\/)?[^/]*)(?:\/(.*))?$/.exec(path) ?? []
  if (name !== '-' && !isOurs(name)) return forward(path, incoming, outgoing)
  if (incoming.method === 'PUT') {
    outgoing.writeHead(publish(name, (await json(incoming)) as Packument)).end('{}')
    return
  }
  const found = find(name, path, rest)
  if (found === undefined) outgoing.writeHead(404).end('{"error":"not_found"}')
  else if (Buffer.isBuffer(found)) outgoing.end(found)
  else outgoing.setHeader('content-type', 'application/json').end(JSON.stringify(found))
}

const server = createServer((incoming, outgoing) => {
  answer(incoming, outgoing).catch((error: unknown) => {
    if (outgoing.headersSent) outgoing.destroy()
    else outgoing.writeHead(502).end(JSON.stringify({ error: String(error) }))
  })
})
server.listen(0, '127.0.0.1', () => process.send?.(server.address()))
process.once('disconnect', () => process.exit(0))
