export function RefitPage() { return null; }
