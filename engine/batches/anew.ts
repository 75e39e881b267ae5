/** What becomes of an image's fields when it is to run anew: nothing of the former run is the next one's. */
export const anew = {
  error: null,
  runId: null,
  serviceStatus: null,
  credits: null,
  outputCount: null,
  earlierImageId: null,
  resends: 0,
} as const
