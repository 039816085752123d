import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { viteSingleFile } from 'vite-plugin-singlefile'
import { policyPlugin } from './policy-plugin.ts'

// One file with everything in it: a replay writes its data into a copy, the service serves it at `/`.
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), viteSingleFile(), policyPlugin()],
  build: { outDir: '../dist/page', emptyOutDir: true, target: 'es2022', reportCompressedSize: false },
})
