import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Showcase } from '../ui/Showcase.tsx'

const root = document.getElementById('root')
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <main className="win">
        <EmptyState art={<Showcase />} title="Vitrine">
          Drop folders, URL lists (.txt, .csv, .json), .url/.webloc shortcuts or paste URLs
        </EmptyState>
      </main>
    </StrictMode>,
  )
}
