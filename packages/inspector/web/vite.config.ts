import { createHash } from 'node:crypto'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { viteSingleFile } from 'vite-plugin-singlefile'

// A single file: a replay writes its data into a copy, and the service serves it at `/`.
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), viteSingleFile(), policyPlugin()],
  build: {
    outDir: '../dist/page',
    // The declarations of `src/page` are written there at the same time.
    emptyOutDir: false,
    target: 'es2022',
    reportCompressedSize: false,
    license: { fileName: 'licenses.md' },
  },
})

/** Allows only the page's own script, by its hash. Styles are open because the component library writes them. */
function policyPlugin(): Plugin {
  return {
    name: 'palimpsest-policy',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      // This runs after the plugin that inserts the script.
      order: 'post',
      handler(_options, bundle) {
        for (const file of Object.values(bundle)) {
          if (file.type !== 'asset' || !file.fileName.endsWith('.html')) continue
          const html = file.source.toString()
          const hashes = [...html.matchAll(/<script type="module"[^>]*>([\s\S]*?)<\/script>/g)].map(
            ([, code = '']) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`,
          )
          if (hashes.length === 0) this.error('There is no script in the page to allow.')
          const policy = [
            "default-src 'none'",
            `script-src ${hashes.join(' ')}`,
            "style-src 'unsafe-inline'",
            'img-src data:',
            "connect-src 'self'",
            "base-uri 'none'",
            "form-action 'none'",
          ].join('; ')
          const meta = `<meta http-equiv="Content-Security-Policy" content="${policy}">`
          file.source = html.replace('<meta charset="utf-8">', (charset) => `${charset}\n    ${meta}`)
        }
      },
    },
  }
}
