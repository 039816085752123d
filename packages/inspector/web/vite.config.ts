import { createHash } from 'node:crypto'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { viteSingleFile } from 'vite-plugin-singlefile'

// One file with everything in it: a replay writes its data into a copy, the service serves it at `/`.
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), viteSingleFile(), policyPlugin()],
  build: {
    outDir: '../dist/page',
    // Declarations of `src/page` are written there at the same time. The names of its own files never change.
    emptyOutDir: false,
    target: 'es2022',
    reportCompressedSize: false,
    // The packages that the file is made of, with their licences.
    license: { fileName: 'licenses.md' },
  },
})

/** Lets exactly the page's own script run, by its hash. Styles are open because the component library writes them. */
function policyPlugin(): Plugin {
  return {
    name: 'palimpsest-policy',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      // Behind the plugin that puts the script into the page.
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
