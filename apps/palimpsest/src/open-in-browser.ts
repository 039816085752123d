import open from 'open'

export async function openInBrowser(url: string, environment: NodeJS.ProcessEnv): Promise<void> {
  const { DISPLAY, WAYLAND_DISPLAY, SSH_CONNECTION, CI } = environment
  const isDesktop = process.platform !== 'linux' || Boolean(DISPLAY || WAYLAND_DISPLAY)
  if (!isDesktop || SSH_CONNECTION || CI) return
  const child = await open(url).catch(() => undefined)
  child?.on('error', () => {})
}
