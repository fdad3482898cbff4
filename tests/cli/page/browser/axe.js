async () => {
  const found = await axe.run(document, { resultTypes: ["violations"] });
  return found.violations.map((each) => `${each.impact} ${each.id}: ${each.nodes.map((node) => node.target + " " + (node.any[0]?.message ?? "")).join(" | ")}`);
}
