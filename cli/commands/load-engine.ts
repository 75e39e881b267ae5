/** The heavy half of the program, read only by commands that send or fetch: `--help` stays quick. */
export async function loadEngine() {
  const [{ composeEngine, composeDeliverer, composeDelivery }, { workOn }] = await Promise.all([
    import('../compose.ts'),
    import('../work-on.ts'),
  ])
  return { composeEngine, composeDeliverer, composeDelivery, workOn }
}
