import type { ReactNode } from 'react'

export const metadata = { title: 'A chat that does not forget' }

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  )
}
