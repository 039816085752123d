import { type Browser, chromium, type Page } from 'playwright-core'

/** No sandbox (a container has none to offer), no graphics card, nothing that asks the network by itself. */
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  // The name of a stranger that was rebound to this machine.
  '--host-resolver-rules=MAP *.test 127.0.0.1',
]

/** Starts a browser without a window. */
export async function startBrowser(path: string): Promise<Browser> {
  return await chromium.launch({ executablePath: path, args: flags })
}

export interface OpenPageOptions {
  /** In CSS pixels. Default: 1400 × 900. */
  readonly width?: number
  readonly height?: number
  /** Default: light. */
  readonly colorScheme?: 'light' | 'dark'
}

/** A page, and everything that went wrong on it. */
export interface OpenedPage {
  readonly page: Page
  /** Errors of the console, exceptions, requests that failed or that wanted to leave this machine. */
  readonly problems: readonly string[]
  close(): Promise<void>
}

/** Opens an address of this machine; a request that would leave it is blocked and noted. */
export async function openPage(
  browser: Browser,
  url: string,
  options: OpenPageOptions = {},
): Promise<OpenedPage> {
  const { width = 1400, height = 900, colorScheme = 'light' } = options
  const context = await browser.newContext({ viewport: { width, height }, colorScheme })
  context.setDefaultTimeout(30_000)
  const problems: string[] = []
  await context.route(
    (address) => !isHere(address),
    async (route) => {
      problems.push(`wanted ${route.request().url()}`)
      await route.abort()
    },
  )
  const page = await context.newPage()
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => problems.push(`exception: ${error.message}`))
  page.on('requestfailed', (request) => {
    // A page that goes away ends its event streams.
    if (request.failure()?.errorText !== 'net::ERR_ABORTED') problems.push(`failed: ${request.url()}`)
  })
  page.on('response', (response) => {
    if (response.status() >= 400) problems.push(`${response.status()}: ${response.url()}`)
  })
  await page.goto(url)
  return { page, problems, close: () => context.close() }
}

function isHere({ protocol, hostname }: URL): boolean {
  const isLocal = hostname === '127.0.0.1' || hostname.endsWith('.test')
  return protocol === 'file:' || protocol === 'data:' || protocol === 'blob:' || isLocal
}
