package io.eldr.router.worker;

/**
 * How many distinct experts decode steps loaded, since the engine started.
 *
 * @param experts of every step, summed over layers and steps
 * @param steps how many
 */
public record StepExperts(double experts, double steps) {}
